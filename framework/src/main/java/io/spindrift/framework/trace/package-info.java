/// Tracing: what a reactor passed, when, and how often.
///
/// A [Tracepoint] is a place in the code, declared with its group in a [TraceCatalog]. The code at that place calls
/// [ReactorProbes#fire] on its reactor's [ReactorProbes]: the first type to read. A [Probe] is what happens there: a
/// record in a ring of the application's trace file, a count, a histogram. [Trace] switches the records, [TraceProbes]
/// attaches the others, [TraceRpcs] lets clients do both, and [TraceFileReader] reads a trace file, live or later; its
/// format is described in `TraceFileLayout`.
///
/// ```text
///   data path ── fire(index) ──> ReactorProbes ──> Probe: nothing | RingProbe ──> TraceRing ──> /dev/shm/APP_trace.pidN
///                                     ^                   | CountingProbe | HistogramProbe | ...           |
///   control path: Trace, TraceProbes ─┘ by message to the reactor                        TraceFileReader <──┘
/// ```
///
/// Threading: everything that fires belongs to the reactor's thread; switching and reading are control-path calls, which
/// run on the owner through [ProbeOwner#run].
package io.spindrift.framework.trace;
