/// What every bdev must do, whatever its kind: the contract between the block layer, a bdev module and their callers.
///
/// [io.spindrift.test.bdev.BdevContract] is the suite, run in a whole target; a kind of bdev is a short subclass that says
/// how one is made.
package io.spindrift.test.bdev;
