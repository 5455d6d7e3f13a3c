/// Small values that everything else uses. First type to read: [Check].
package io.spindrift.framework;
