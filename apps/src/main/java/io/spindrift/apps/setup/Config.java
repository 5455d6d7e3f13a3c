package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The action `config`: gives devices to user space.
final class Config {
    /// Less than this is too little for a program's buffers, as the peer warns.
    private static final long LITTLE_LOCKED_KIB = 64 * 1024;

    private final SetupContext context;
    private final Optional<String> user;
    private final Obstacles obstacles;
    private final Binding binding;

    Config(SetupContext context, Optional<String> user) throws IOException {
        this.context = context;
        this.user = user;
        this.obstacles = new Obstacles(context);
        this.binding = new Binding(context.machine(), context.bus(), context.kernel());
    }

    /// Binds those of `functions` that nothing speaks against. False if one was not bound that could be, or was `named`: then
    /// none is.
    boolean run(List<PciFunction> functions, boolean named) throws SetupException, IOException, InterruptedException {
        Map<PciFunction, List<String>> refused = obstacles.refused(functions);
        if (named && !refused.isEmpty()) {
            refused.forEach((function, reasons) -> context.complain(function, String.join("; ", reasons)));
            return false;
        }
        List<PciFunction> toBind = functions.stream()
                .filter(function -> !refused.containsKey(function) && !isBound(function)).toList();
        if (!toBind.isEmpty()) {
            binding.load(context.driver());
        }
        boolean complete = true;
        for (PciFunction function : functions) {
            if (refused.containsKey(function)) {
                context.say(function, "left alone: " + String.join("; ", refused.get(function)));
            } else {
                complete &= bind(function);
            }
        }
        if (context.driver().vfio()) {
            hintAtLimit();
        }
        return complete;
    }

    private boolean isBound(PciFunction function) {
        return function.isBoundTo(context.driver().name()) || context.driver().none() && function.driver().isEmpty();
    }

    private boolean bind(PciFunction function) throws InterruptedException {
        try {
            if (isBound(function)) {
                context.say(function, "has " + function.driver().orElse("no driver") + " already");
            } else {
                binding.bind(function, context.driver());
                context.say(function, SetupContext.change(function,
                        context.driver().none() ? "no driver" : context.driver().name()));
            }
            giveGroup(function);
            return true;
        } catch (SetupException e) {
            context.complain(function, e.getMessage());
        } catch (IOException e) {
            context.complain(function,
                    "its IOMMU group was not given to " + user.orElseThrow() + ": " + e.getMessage());
        }
        return false;
    }

    private void giveGroup(PciFunction function) throws IOException {
        if (user.isPresent() && context.driver().vfio() && function.iommuGroup().isPresent()) {
            Path group = context.machine().vfioGroup(function.iommuGroup().getAsInt());
            context.kernel().give(group, user.get());
            context.say(function, context.machine().shown(group) + " is " + user.get() + "'s");
        }
    }

    /// Memory that a device may reach is locked, and counts against its user's limit.
    private void hintAtLimit() throws InterruptedException {
        if (user.isEmpty()) {
            return;
        }
        Optional<Long> limit = context.kernel().lockedMemoryLimit(user.get()).filter(text -> text.matches("\\d{1,18}"))
                .map(Long::parseLong);
        limit.ifPresent(kib -> context.out().println((kib < LITTLE_LOCKED_KIB ? "Warning: " : "") + user.get()
                + " may lock " + kib
                + " KiB of memory, which is the most that devices can reach of a program's; memlock in"
                + " /etc/security/limits.conf changes it."));
    }
}
