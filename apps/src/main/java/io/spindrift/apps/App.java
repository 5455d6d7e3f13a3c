package io.spindrift.apps;

/// A program's entry point.
@FunctionalInterface
public interface App {
    /// Runs the program to its end on the calling thread.
    ///
    /// @param args the arguments that follow the program's name
    /// @return the process's exit status: 0 for success, 1 for a failure that was reported, 2 for wrong usage
    /// @throws Exception a failure that the program did not turn into a sentence; it is printed with its stack
    int run(String[] args) throws Exception;
}
