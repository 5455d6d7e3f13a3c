package io.spindrift.framework.rpc;

/// A method with what runs it in one application. Made by [RpcMethod#bind], taken by [RpcRegistry#register].
public record RpcBinding<P extends Record>(RpcMethod<P> method, RpcHandler<P> handler) {}
