/// An application's life: flags, configuration, subsystems, start and stop, and the RPCs about all of these.
///
/// First type to read: [Application]. A program reads its arguments by a [CommandLine] made of [CommonFlags] and its
/// own [Flag]s and runs an [Application] made of [Subsystem]s. Everything here is control path: nothing runs on a
/// reactor, nothing is static, and two applications can live in one JVM.
package io.spindrift.framework.app;
