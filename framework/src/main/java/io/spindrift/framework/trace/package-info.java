/// Tracing: what a reactor passed, when, and how often.
///
/// A [Tracepoint] is a place in the code, declared with its group in a [TraceCatalog]. The code at that place calls
/// [ReactorProbes#fire] on its reactor's [ReactorProbes]: the first type to read. A [Probe] is what happens there: a
/// record in a ring, a count, a histogram.
///
/// Threading: everything that fires belongs to the reactor's thread; switching and reading are control-path calls, which
/// send the owner a message.
package io.spindrift.framework.trace;
