package io.spindrift.apps;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// What is wrong with a file that the user named, in words: `java.nio.file` gives no more than its path for most causes.
public final class FileProblem {
    private FileProblem() {}

    /// `FILE: WHAT: reason`, where `what` did not go: "cannot be written".
    public static String of(String what, IOException failure, Path file) {
        return file + ": " + what + ": " + reason(failure);
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
    }
}
