/// Tests that need a kernel of their own, which `test/guest` boots.
package io.spindrift.test.guest;
