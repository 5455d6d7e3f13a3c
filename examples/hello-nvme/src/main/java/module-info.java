/// A program that uses an NVMe controller, as a third party writes it.
module org.example.hello {
    requires io.spindrift.nvme;
}
