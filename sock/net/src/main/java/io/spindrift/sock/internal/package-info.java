/// What implementations share.
package io.spindrift.sock.internal;
