/// Configurations saved and loaded by whole targets.
package io.spindrift.test.config;
