package org.example.zero;

import io.spindrift.bdev.*;
import io.spindrift.bdev.spi.*;
import io.spindrift.framework.*;
import io.spindrift.framework.rpc.*;
import io.spindrift.framework.thread.*;
import java.util.*;

/// Bdevs that read as zeroes and forget what is written.
public final class ZeroBdevModule implements BdevModule, RpcCatalog {
    record Create(@Positional String name, @Positional long numBlocks, @Option({"-u", "--uuid"}) Optional<UUID> uuid) {}
    record Delete(@Positional String name) {}

    static final RpcMethod<Create> CREATE = RpcMethod.of("bdev_zero_create", Create.class, RpcState.RUNTIME);
    static final RpcMethod<Delete> DELETE = RpcMethod.of("bdev_zero_delete", Delete.class, RpcState.RUNTIME);

    private BdevModuleContext context;
    private Device device;

    @Override public List<RpcMethod<?>> methods() { return List.of(CREATE, DELETE); }
    @Override public String name() { return "zero"; }

    @Override public List<RpcBinding<?>> rpcs() { // asked for before init; run-time methods run after it
        return List.of(CREATE.bind(this::create), DELETE.bind(params -> {
            context.registry().unregister(context.registry().find(params.name())
                    .filter(bdev -> bdev.module() == this) // not that of another module
                    .orElseThrow(() -> RpcException.errno(Errno.ENODEV, "no zero bdev " + params.name())));
            return true;
        }));
    }

    @Override public void init(BdevModuleContext given) { // control path: may wait, may throw
        context = given;
        device = new Device(context.reactors());
    }

    private String create(Create params) {
        return context.registry().register(this, new Backend(device), BdevRegistration.of(
                params.name(), "Zero disk", params.uuid(), params.numBlocks(), BdevGeometry.of(4096))).name();
    }

    @Override public void close() { device.unregister(); }

    /// One for all bdevs: each thread that uses any of them has one channel.
    private static final class Device extends IoDevice<Channel> {
        Device(Reactors reactors) { super(reactors, "bdev_zero"); }
        @Override protected Channel createChannel(IoThread thread) { return new Channel(this, thread); }
    }

    private static final class Channel extends ModuleChannel {
        Channel(Device device, IoThread thread) { super(device, thread); }

        @Override public void submit(BdevIo io) { // data path: never blocks, allocates or throws
            if (io.type() == BdevIoType.READ) {
                io.vector().fill((byte) 0);
            }
            io.complete(BdevStatus.SUCCESS);
        }
    }

    private static final class Backend extends BdevBackend {
        private final Device device;

        Backend(Device device) { this.device = device; }
        @Override public ModuleChannel channel() { return device.channel(); }
        @Override public boolean supports(int type) { return type == BdevIoType.READ || type == BdevIoType.WRITE; }
        @Override public List<ConfigEntry> config(Bdev bdev) { // what save_config writes
            return List.of(new ConfigEntry(CREATE.name(),
                    new Create(bdev.name(), bdev.numBlocks(), Optional.of(bdev.uuid()))));
        }
    }
}
