package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The action `status`: shows devices, and why one cannot be had. Changes nothing.
final class Status {
    private final SetupContext context;
    private final Obstacles obstacles;
    private final OpenFiles openFiles;

    Status(SetupContext context) throws IOException {
        this.context = context;
        this.obstacles = new Obstacles(context);
        this.openFiles = new OpenFiles(context.machine());
    }

    /// Returns true: there is nothing in it that can fail.
    boolean print(List<PciFunction> functions) throws IOException {
        Map<PciFunction, List<String>> refused = obstacles
                .refused(functions.stream().filter(function -> !function.inUserSpace()).toList());
        StatusTable table = new StatusTable();
        for (PciFunction function : functions) {
            table.add(function, context.bus().disks(function),
                    usable(function, refused.getOrDefault(function, List.of())));
        }
        table.print(context.out());
        String driver = context.driver().name();
        if (!context.driver().none() && context.machine().hasModule(driver)
                && !Files.isDirectory(context.machine().driver(driver))) {
            context.out().println(driver + " is not loaded; config loads it.");
        }
        return true;
    }

    private String usable(PciFunction function, List<String> refusal) throws IOException {
        List<String> reasons = new ArrayList<>(refusal);
        if (function.inUserSpace()) {
            context.allowed().obstacle(function.address()).ifPresent(reasons::add);
            if (!function.driver().filter(UserSpaceDriver::isVfio).isPresent()) {
                reasons.add("it is bound to " + function.driver().orElseThrow()
                        + ", which gives it to others than Spindrift");
            }
            obstacles.companions(function, Set.of(function.address())).ifPresent(reasons::add);
        }
        if (!reasons.isEmpty()) {
            return "no: " + String.join("; ", reasons);
        }
        return function.inUserSpace() && function.iommuGroup().isPresent()
                ? openFiles.user(context.machine().vfioGroup(function.iommuGroup().getAsInt()))
                        .map(user -> "yes, used by " + user).orElse("yes")
                : "yes";
    }
}
