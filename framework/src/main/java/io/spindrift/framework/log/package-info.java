/// Log lines in the form that SPDK's users know, for one application.
///
/// First type to read: [Log]. A caller formats its text and enqueues; one writer thread per log does the output, so
/// that a reactor never waits for a terminal. Vocabulary: a *level* is how bad it is ([LogLevel]); a *flag* is a topic
/// whose info and debug lines are off until someone asks ([LogFlag]); the *print level* decides what standard error
/// shows, the *log level* what the system log receives ([LogSink]).
package io.spindrift.framework.log;
