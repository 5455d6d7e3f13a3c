/// JSON-RPC: how a method is declared, decoded, run and served.
///
/// First types to read: [RpcMethod] (a declaration: name, states, parameter record), [RpcRegistry] (declarations with
/// their handlers, one registry an application), [RpcServer] (serves a registry on a socket).
///
/// **One record declares a method.** Its components are the parameters: `numBlocks` is `num_blocks` in JSON. A
/// component without annotation must be given; [Default] gives a default, and the `Optional` types may be left out.
/// The compact constructor validates. From the record follow strict decoding ([RecordShape]), the command line
/// ([CliArgument], refined by [Positional], [Option] and [CliForm]), the schema, the manual page, and what a saved
/// configuration holds ([ConfigEntry]).
///
/// The package of a parameter or result record is opened by its module: `opens x to io.spindrift.framework`.
/// Records are read with their components and canonical constructor rather than by Jackson's data binding, which is
/// used only for its parser and its tree: what Jackson would have to be forbidden (coercions, defaults for what is
/// missing) is more than what is left, its introspection alone would take a fourth of the start-up time, and the
/// shape is needed anyway for the command line and the schema.
///
/// **Threads.** Handlers run on virtual threads, never on a reactor. Everything here may block. The calls of one client
/// run one after the other, except that one which waits for an event ([RpcWait]) lets the next ones pass.
package io.spindrift.framework.rpc;
