/// The RPCs of the target: a class for each group of methods, with their parameter records, and what they answer.
package io.spindrift.nvmf.rpc;
