/// Rules of the house that neither the compiler nor the formatter knows.
package io.spindrift.test.house;
