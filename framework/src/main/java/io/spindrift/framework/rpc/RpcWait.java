package io.spindrift.framework.rpc;

import java.util.concurrent.Callable;

/// What a handler returns instead of a result when the result depends on an event: the rest of the call.
///
/// ```java
/// rpcs.register(WAIT_INIT, _ -> new RpcWait(() -> {
///     started.await();
///     return true;
/// }));
/// ```
/// What the handler did before it returned this is done in the order of the client's requests; `rest` runs on a virtual
/// thread of its own while later requests of the same connection go on, since one of them may bring the event about. The
/// reply follows when `rest` returns. A call of the application itself waits on the spot.
///
/// @param rest waits, and returns the result or throws as a handler does; interrupted when its client
/// closes or the application ends
public record RpcWait(Callable<?> rest) {}
