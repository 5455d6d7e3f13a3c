/// What happened to the objects of an application, for monitors that ask by RPC.
///
/// First type to read: [Notifications].
package io.spindrift.framework.notify;
