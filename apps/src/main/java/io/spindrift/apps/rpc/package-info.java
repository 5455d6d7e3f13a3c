/// The `rpc` program: calls an application's methods, typed as users of the peer's `rpc.py` type them.
///
/// First type to read: [RpcApp]. A method's command line ([MethodCommand]) is built from its declaration
/// ([io.spindrift.framework.rpc.RpcMethod]), which the module of the method provides; only the one that is asked for
/// is built. [CommandTable] has all of them and the commands that make several calls ([ConfigCommands]). From the
/// same declarations come `--completion`, `--docs` and `--schema`.
package io.spindrift.apps.rpc;
