package io.spindrift.apps.nvme;

import io.spindrift.framework.app.AppComponents;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.spi.NvmeTransportProvider;
import io.spindrift.sock.Sockets;
import io.spindrift.sock.spi.SockImplementation;
import java.util.List;
import java.util.ServiceLoader;

/// A program that does one job with NVMe controllers and ends. Control path.
public abstract class NvmeProgram implements AppComponents {
    private NvmeDriver driver;

    /// For subclasses.
    protected NvmeProgram() {}

    /// The job; returns the status to exit with. A message that is thrown by an [IllegalArgumentException] or an
    /// [io.spindrift.framework.ErrnoException] is for the user, and is all that it sees.
    protected abstract int run(Application application, NvmeDriver running) throws Exception;

    @Override
    public final List<Subsystem> subsystems(Application application) {
        Sockets sockets = new Sockets(application.reactors(), application.log(),
                application.plugins().services(layer -> ServiceLoader.load(layer, SockImplementation.class)));
        configure(sockets);
        driver = new NvmeDriver(
                new DriverContext(application.reactors(), application.memory(), sockets, application.log(),
                        application.options().pci()),
                application.plugins().services(layer -> ServiceLoader.load(layer, NvmeTransportProvider.class)));
        return List.of(new DriverSubsystem(driver));
    }

    /// Sets what the user wants of sockets, before there are any. [IllegalArgumentException] if it cannot be.
    protected void configure(Sockets sockets) {}

    @Override
    public final void started(Application application) throws Exception {
        int status = 1;
        try {
            status = run(application, driver);
        } catch (IllegalArgumentException | io.spindrift.framework.ErrnoException e) {
            application.log().error("%s", e.getMessage());
        } finally {
            application.stop(status);
        }
    }

    /// The driver's life in the application's.
    private record DriverSubsystem(NvmeDriver driver) implements Subsystem {
        @Override
        public String name() {
            return "nvme";
        }

        @Override
        public void init() {
            // its controllers are connected by the program's job
        }

        @Override
        public void shutdown() {
            driver.close();
        }
    }
}
