/// What Identify returns. First type to read: [IdentifyController]; which CNS returns what is in [Cns].
package io.spindrift.nvme.spec.identify;
