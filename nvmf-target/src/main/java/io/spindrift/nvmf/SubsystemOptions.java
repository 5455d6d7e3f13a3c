package io.spindrift.nvmf;

import io.spindrift.framework.Check;
import io.spindrift.nvme.spec.Nsid;

/// What a subsystem is made with and keeps.
///
/// @param serialNumber  Identify Controller SN
/// @param modelNumber   Identify Controller MN
/// @param adminLabel    for administrators, in the extended discovery log; empty for none
/// @param maxNamespaces how many namespaces it can have, and their highest NSID; 0 for no limit
/// @param anaReporting  whether hosts are told of access states
/// @param minCntlid     the lowest controller ID it gives
/// @param maxCntlid     the highest
/// @param dmrsl         the most logical blocks of one dataset management range
/// @param wzsl          the most that one Write Zeroes covers, as a power of two in units of 4 KiB
/// @param passthrough   whether its namespaces take commands as they are
/// @param enableNssr    whether hosts may reset it as a whole
public record SubsystemOptions(String serialNumber, String modelNumber, String adminLabel, long maxNamespaces,
        boolean anaReporting, int minCntlid, int maxCntlid, long dmrsl, int wzsl, boolean passthrough,
        boolean enableNssr) {
    /// From FFF0h on they are reserved (NVMe over Fabrics 1.1, 3.3).
    public static final int MAX_CNTLID = 0xFFEF;

    /// As the peer has them: 1 GiB of 512-byte blocks, 16 MiB of zeroes.
    public static final SubsystemOptions DEFAULT = new SubsystemOptions("0".repeat(20), "SPDK bdev Controller", "", 32,
            false, 1, MAX_CNTLID, 2_097_152, 12, false, false);

    private static final int MAX_SERIAL = 20;
    private static final int MAX_MODEL = 40;
    private static final int MIN_LABEL = 4;
    private static final int MAX_LABEL = 256;

    public SubsystemOptions {
        checkText("serial_number", serialNumber, MAX_SERIAL);
        checkText("model_number", modelNumber, MAX_MODEL);
        checkText("admin_label", adminLabel, MAX_LABEL);
        if (!adminLabel.isEmpty() && adminLabel.length() < MIN_LABEL) {
            throw new IllegalArgumentException("admin_label=" + adminLabel + " has " + adminLabel.length()
                    + " characters; " + MIN_LABEL + " to " + MAX_LABEL + " are needed");
        }
        Check.range("max_namespaces", maxNamespaces, 0, Nsid.MAX);
        Check.range("min_cntlid", minCntlid, 1, MAX_CNTLID);
        Check.range("max_cntlid", maxCntlid, 1, MAX_CNTLID);
        if (minCntlid > maxCntlid) {
            throw new IllegalArgumentException("min_cntlid=" + minCntlid + " is more than max_cntlid=" + maxCntlid);
        }
    }

    private static void checkText(String name, String value, int max) {
        if (value.length() > max) {
            throw new IllegalArgumentException(name + "=" + value + " has " + value.length() + " characters; " + max
                    + " are allowed");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x20 || c > 0x7E) {
                throw new IllegalArgumentException(name + "=" + value + ": character " + (i + 1)
                        + " (" + String.format("%02Xh", (int) c) + ") is not printable ASCII, 20h..7Eh");
            }
        }
    }

    /// The highest NSID and ANA group of the subsystem.
    public long maxNsid() {
        return maxNamespaces == 0 ? Nsid.MAX : maxNamespaces;
    }
}
