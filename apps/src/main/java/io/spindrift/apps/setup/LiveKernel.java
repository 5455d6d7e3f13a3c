package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// This machine's kernel.
final class LiveKernel implements Kernel {
    private static final int ROOT = 0;

    @Override
    public void write(Path file, String line) throws IOException {
        Files.write(file, (line + "\n").getBytes(StandardCharsets.US_ASCII), StandardOpenOption.WRITE);
    }

    @Override
    public void run(String... command) throws IOException, InterruptedException {
        output(command);
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile()).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(said.isEmpty() ? command[0] + " ended with status " + status : said);
        }
        return said;
    }

    @Override
    public void give(Path file, String user) throws IOException {
        Files.setOwner(file, FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(user));
    }

    @Override
    public boolean hasUser(String name) {
        try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(ROOT);
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public boolean acts() {
        return true;
    }

    @Override
    public Optional<String> lockedMemoryLimit(String user) throws InterruptedException {
        try {
            return Optional.of(output("su", "-s", "/bin/sh", user, "-c", "ulimit -l"));
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
