package io.spindrift.apps.setup;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The action `reset`: gives devices back to the kernel.
final class Reset {
    private final SetupContext context;
    private final OpenFiles openFiles;
    private final Binding binding;

    Reset(SetupContext context) throws IOException {
        this.context = context;
        this.openFiles = new OpenFiles(context.machine());
        this.binding = new Binding(context.machine(), context.bus(), context.kernel());
    }

    /// Gives back those of `functions` that the kernel does not have. False if one could not be, or was `named` and must not.
    boolean run(List<PciFunction> functions, boolean named) throws IOException, InterruptedException {
        boolean complete = true;
        for (PciFunction function : functions) {
            Optional<String> obstacle = obstacle(function);
            if (isTheKernels(function)) {
                context.say(function, "has " + function.driver().orElseThrow() + " already");
            } else if (obstacle.isPresent()) {
                context.complain(function, "left alone: " + obstacle.get());
                complete &= !named && context.allowed().obstacle(function.address()).isPresent();
            } else {
                complete &= reset(function);
            }
        }
        return complete;
    }

    private static boolean isTheKernels(PciFunction function) {
        return function.driver().isPresent() && !function.inUserSpace() && function.override().isEmpty();
    }

    /// The kernel would wait for a program to let go.
    private Optional<String> obstacle(PciFunction function) {
        Optional<String> forbidden = context.allowed().obstacle(function.address());
        if (forbidden.isPresent() || function.iommuGroup().isEmpty()) {
            return forbidden;
        }
        return openFiles.user(context.machine().vfioGroup(function.iommuGroup().getAsInt()))
                .map(user -> user + " uses it");
    }

    private boolean reset(PciFunction function) throws InterruptedException {
        try {
            binding.reset(function);
            context.say(function, SetupContext.change(function, binding.driver(function)
                    .filter(name -> context.kernel().acts()).orElse("the kernel's driver")));
            return true;
        } catch (SetupException e) {
            context.complain(function, e.getMessage());
            return false;
        }
    }
}
