/// The model of an NVMe over Fabrics target. Read [NvmfTarget], [NvmfSubsystem] and [PollGroup], in this order.
///
/// ```
/// control path (virtual threads, one lock a subsystem)          data path (one PollGroup a reactor's core)
///
/// NvmfTargets --> NvmfTarget --> NvmfSubsystem                   PollGroup --> GroupSubsystem --> GroupNamespace
///                    |               | change: pause(nsid)           |             |                   |
///                    |               |         publish(view) ------------------> SubsystemView     BdevChannel
///                    |               |         resume                |         (immutable)
///                    v               v                               v
///              NvmfTransport     NvmfEngine (told of changes)    TransportGroup
/// ```
///
/// The model belongs to the control path: a change holds its subsystem's lock from its checks to its end, and waits for
/// each poll group with `thread.call...`. The data path never sees the model change: it has the [SubsystemView] that was
/// last published to its poll group, and the channels that were opened with it.
///
/// What is added on top (controllers, queue pairs, commands) is an [NvmfEngine]: it is told of changes, disconnects
/// hosts, and lists its controllers. On a poll group's thread it asks [GroupSubsystem] for a namespace, counts its
/// commands in and out, and parks those that meet a pause.
///
/// Words: a *subsystem* is the NVM subsystem of the NVMe specification, found by its NQN; a *host* is who connects; a
/// *listener* is an address at which a subsystem can be reached; an *ANA group* is a set of namespaces that share an
/// access state at each listener (NVM Express Base 2.0, 8.1).
package io.spindrift.nvmf;
