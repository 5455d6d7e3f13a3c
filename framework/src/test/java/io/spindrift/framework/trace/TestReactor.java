package io.spindrift.framework.trace;

/// A reactor whose thread is the test's own.
final class TestReactor implements ProbeOwner {
    private final int core;
    private final ReactorProbes probes = new ReactorProbes();

    TestReactor(int core) {
        this.core = core;
    }

    @Override
    public int core() {
        return core;
    }

    @Override
    public ReactorProbes probes() {
        return probes;
    }

    @Override
    public void run(Runnable task) {
        task.run();
    }
}
