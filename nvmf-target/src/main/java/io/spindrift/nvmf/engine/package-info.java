/// What runs the target's controllers: queue pairs, their commands, and what those mean.
///
/// ```
///   transport: obtain buffers, move data in -> QueuePair.execute(Request)
///     not connected: Connect          qid 0: AdminCommands (Identify, logs, features, events)
///     qid > 0: NvmCommands -> BdevChannel -> Request.complete -> transport: move data out, respond, free
/// ```
/// First types to read: [QueuePair] and [Request], which a transport extends, then [Controller]. A queue pair belongs to the
/// thread of its poll group; a controller to that of its admin queue pair, whom the others send messages.
package io.spindrift.nvmf.engine;
