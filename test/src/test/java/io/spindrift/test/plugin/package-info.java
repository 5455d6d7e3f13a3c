/// A bdev module outside of the tree, `test/plugin-example`, in a program's plug-in folder.
package io.spindrift.test.plugin;
