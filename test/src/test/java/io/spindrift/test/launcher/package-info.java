/// Tests of `./spindrift`, of the scripts beside it in `launcher`, and of the programs that they make in `build/bin`.
///
/// [io.spindrift.test.launcher.FakeHouse] is a copy of the launcher with a Maven that only writes down how it was called,
/// so that what is stale can be tested without building; [io.spindrift.test.launcher.House] is the tree under test.
package io.spindrift.test.launcher;
