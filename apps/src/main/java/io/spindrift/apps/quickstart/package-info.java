/// `quickstart`: the first thing to run.
package io.spindrift.apps.quickstart;
