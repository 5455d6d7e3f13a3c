/// Our JSON-RPC methods against the peer's: its command lines, its parameters, its answers, as recorded from it in
/// `src/test/resources/reference`.
package io.spindrift.test.rpc;
