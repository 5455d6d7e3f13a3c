/// The one concurrency model: reactors, lightweight threads, messages, pollers, channels, and the control path.
///
/// First type to read: [io.spindrift.framework.thread.IoThread]; then [io.spindrift.framework.thread.Reactor].
///
/// - A **reactor** is one pinned OS thread a core; it gives its threads turns and sleeps when all are idle.
/// - An **IoThread** owns state. Others reach it by messages; nothing is locked.
/// - A **poller** is a function that a thread runs in each turn, at a period, or when a descriptor is readable.
/// - An **IoDevice** is shared; each thread uses it through its own **IoChannel**.
/// - The **control path** is straight-line code on virtual threads ([io.spindrift.framework.thread.Control]), which
///   calls into owners with `thread.call(...)` and waits. It never runs on a reactor, and a reactor never waits.
package io.spindrift.framework.thread;
