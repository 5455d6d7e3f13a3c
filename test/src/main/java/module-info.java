/// Cross-module tests: real peers, contract suites, several applications in one JVM.
///
/// It has no code of its own beside the tests, and requires every module that a test needs at run time, providers of
/// services included: what is not required here is not on the tests' module path.
open module io.spindrift.test {
    requires io.spindrift.apps;
    requires io.spindrift.bdev;
    requires io.spindrift.bdev.malloc;
    requires io.spindrift.bdev.nulldev;
    requires io.spindrift.bdev.uring;
    requires io.spindrift.framework;
    requires io.spindrift.nvme;
    requires io.spindrift.nvme.spec;
    requires io.spindrift.nvmf;
}
