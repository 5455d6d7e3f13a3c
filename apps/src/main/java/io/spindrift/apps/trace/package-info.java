/// The program `spdk_trace`: prints what a program's reactors recorded at tracepoints, live or afterwards.
///
/// [io.spindrift.apps.trace.TraceApp] reads the arguments, [io.spindrift.apps.trace.TraceFinder] finds the file,
/// [io.spindrift.apps.trace.Timeline] puts the cores' records in one order and follows objects, and a
/// [io.spindrift.apps.trace.EventPrinter] prints them. The manual is `apps/spdk_trace.md`.
package io.spindrift.apps.trace;
