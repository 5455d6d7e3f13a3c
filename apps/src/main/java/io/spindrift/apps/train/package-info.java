/// The run that the JVM's start-up cache is recorded from: one cache for all programs, made by the build's last step.
///
/// [io.spindrift.apps.train.Training] is the list of what to run; what it loads and links starts fast later.
package io.spindrift.apps.train;
