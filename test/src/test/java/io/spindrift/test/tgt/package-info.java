/// Whole targets for tests: [io.spindrift.test.tgt.EmbeddedTarget] in this JVM, [io.spindrift.test.tgt.TargetProcess]
/// as a process of its own, and how both are asked.
package io.spindrift.test.tgt;
