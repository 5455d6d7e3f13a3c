package io.spindrift.framework.memory;

/// A consumer could not map a region for its device; nothing of what was asked for remains.
public final class MemoryMapException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MemoryMapException(String consumer, MemoryRegion region, Exception cause) {
        super(consumer + " cannot map " + region + ": " + cause.getMessage(), cause);
    }
}
