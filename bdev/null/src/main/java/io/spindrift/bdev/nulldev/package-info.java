/// The null bdev. First type to read: [io.spindrift.bdev.nulldev.NullBdevModule].
package io.spindrift.bdev.nulldev;
