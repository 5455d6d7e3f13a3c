package io.spindrift.framework.app;

import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.RpcRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/// A program of scripted subsystems that keeps a journal of what happens to it.
final class FakeComponents implements AppComponents {
    /// What a scripted step does.
    interface Step {
        void run(Application application) throws Exception;
    }

    final List<String> journal = Collections.synchronizedList(new ArrayList<>());
    private final List<Fake> subsystems = new ArrayList<>();
    Step job = _ -> {};
    Step end = _ -> {};

    /// A subsystem whose steps may be scripted.
    final class Fake implements Subsystem {
        private final String name;
        private final List<String> dependsOn;
        Consumer<RpcRegistry> rpcs = _ -> {};
        Step init = _ -> {};
        Step shutdown = _ -> {};
        List<ConfigEntry> config = List.of();
        private Application application;

        private Fake(String name, List<String> dependsOn) {
            this.name = name;
            this.dependsOn = dependsOn;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<String> dependsOn() {
            return dependsOn;
        }

        @Override
        public void registerRpcs(RpcRegistry registry) {
            journal.add("rpcs " + name);
            rpcs.accept(registry);
        }

        @Override
        public void init() throws Exception {
            journal.add("init " + name);
            init.run(application);
        }

        @Override
        public void shutdown() throws Exception {
            journal.add("shutdown " + name);
            shutdown.run(application);
        }

        @Override
        public List<ConfigEntry> config() {
            return config;
        }
    }

    Fake add(String name, String... dependsOn) {
        Fake fake = new Fake(name, List.of(dependsOn));
        subsystems.add(fake);
        return fake;
    }

    @Override
    public List<Subsystem> subsystems(Application application) {
        subsystems.forEach(fake -> fake.application = application);
        return List.copyOf(subsystems);
    }

    @Override
    public void started(Application application) throws Exception {
        journal.add("job");
        job.run(application);
    }

    @Override
    public void stopping(Application application) throws Exception {
        journal.add("end");
        end.run(application);
    }
}
