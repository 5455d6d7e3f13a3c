/// Where every program starts.
///
/// [io.spindrift.apps.Main] is the only main class: `Main NAME ARGS...` looks NAME up in [io.spindrift.apps.Program],
/// the table of all programs, and runs it. Each program has a package of its own below this one. The scripts in
/// `build/bin` are made from the same table, and [io.spindrift.apps.train] lists what the JVM's start-up cache is
/// recorded from.
package io.spindrift.apps;
