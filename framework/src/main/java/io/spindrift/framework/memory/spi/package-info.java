/// For those who map memory for devices. First type to read: [MemoryConsumer].
package io.spindrift.framework.memory.spi;
