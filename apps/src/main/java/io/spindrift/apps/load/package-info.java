/// What the programs that put load on devices share: [io.spindrift.apps.load.UnitPicker] says where the next I/O goes,
/// [io.spindrift.apps.load.JobCounters] counts those that ended, and makes [io.spindrift.apps.load.JobStatistics] of it.
package io.spindrift.apps.load;
