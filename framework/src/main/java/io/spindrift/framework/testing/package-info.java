/// Fakes for tests of code that runs on reactors: time and turns are the test's to script.
package io.spindrift.framework.testing;
