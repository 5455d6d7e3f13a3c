/// Features: identifiers, dwords and data of Get Features and Set Features. First type to read: [FeatureDword].
package io.spindrift.nvme.spec.feature;
