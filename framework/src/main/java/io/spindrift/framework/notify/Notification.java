package io.spindrift.framework.notify;

/// One event: `type` is a registered kind such as `bdev_register`, `ctx` names the object, `id` counts from 0.
public record Notification(String type, String ctx, long id) {}
