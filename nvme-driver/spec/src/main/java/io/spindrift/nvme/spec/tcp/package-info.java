/// The PDUs of the NVMe/TCP transport. First type to read: [PduHeader]; [PduRules] tells whether a peer's is right.
/// A PDU has its header at `at`; where its data begins is its PDO. All of it is data path.
package io.spindrift.nvme.spec.tcp;
