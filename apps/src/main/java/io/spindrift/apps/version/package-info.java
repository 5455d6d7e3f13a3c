/// The program `version`: which Spindrift, on which JVM.
package io.spindrift.apps.version;
