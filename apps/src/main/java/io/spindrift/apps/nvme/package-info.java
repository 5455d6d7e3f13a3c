/// What the programs that use NVMe controllers share. First type to read: [io.spindrift.apps.nvme.NvmeProgram].
///
/// ```
///   -r TEXT --> Target --> Attachments --(asks discovery controllers)--> controllers --> the program
/// ```
/// Control path.
package io.spindrift.apps.nvme;
