/// Tests of several modules together.
package io.spindrift.test;
