package io.spindrift.test.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.test.tgt.EmbeddedTarget;
import io.spindrift.test.tgt.RpcProgram;
import io.spindrift.test.tgt.RpcProgram.Result;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/// What `rpc save_config` prints makes the same target again, whose saved configuration is the same to the byte.
class SaveLoadSaveTest {
    private static final int FILES = 4;
    private static Path folder;

    /// A method and its parameters, where `NAME` stands for the bdev's name.
    record Call(String method, String params) {}

    @BeforeContainer
    static void makeFiles() throws IOException {
        folder = Files.createTempDirectory("save");
        for (int i = 0; i < FILES; i++) {
            try (RandomAccessFile file = new RandomAccessFile(folder.resolve("disk" + i).toFile(), "rw")) {
                file.setLength(1 << 20);
            }
        }
    }

    @AfterContainer
    static void removeFiles() throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    @Provide
    Arbitrary<List<Call>> objects() {
        return Arbitraries.oneOf(nullBdevs(), mallocBdevs(), fileBdevs()).list().ofMaxSize(8);
    }

    private static Arbitrary<Call> nullBdevs() {
        return Combinators.combine(Arbitraries.of(512, 4096), Arbitraries.longs().between(1, 1L << 40),
                Arbitraries.of("", ", 'md_size': 64", ", 'md_size': 8, 'dif_type': 1, 'dif_is_head_of_md': true",
                        ", 'physical_block_size': 4096", ", 'optimal_write_size': 3, 'preferred_unmap_alignment': 7"))
                .as((block, blocks, more) -> new Call("bdev_null_create",
                        "{'name': 'NAME', 'block_size': " + block + ", 'num_blocks': " + blocks + more + "}"));
    }

    private static Arbitrary<Call> mallocBdevs() {
        return Combinators.combine(Arbitraries.of(512, 4096), Arbitraries.longs().between(1, 10_000),
                Arbitraries.of("", ", 'md_size': 64, 'md_interleave': true", ", 'md_size': 16, 'dif_type': 2",
                        ", 'md_size': 128, 'md_interleave': true, 'dif_type': 3, 'dif_pi_format': 2",
                        ", 'optimal_io_boundary': 16", ", 'physical_block_size': 8192"))
                .as((block, blocks, more) -> new Call("bdev_malloc_create",
                        "{'name': 'NAME', 'block_size': " + block + ", 'num_blocks': " + blocks + more + "}"));
    }

    private static Arbitrary<Call> fileBdevs() {
        return Combinators.combine(Arbitraries.of("bdev_uring_create", "bdev_aio_create"),
                Arbitraries.integers().between(0, FILES - 1),
                Arbitraries.of("", ", 'block_size': 512", ", 'block_size': 4096", ", 'block_size': 0"),
                Arbitraries.of("", ", 'readonly': true", ", 'fallocate': true", ", 'nowait': true"))
                .as((method, file, block, more) -> new Call(method, "{'name': 'NAME', 'filename': '"
                        + folder.resolve("disk" + file) + "'" + block + (method.contains("aio") ? more : "") + "}"));
    }

    /// What is set before the subsystems start.
    @Provide
    Arbitrary<Call> settings() {
        return Arbitraries.oneOf(
                Arbitraries.of(new Call("sock_set_default_impl", "{'impl_name': 'uring'}"),
                        new Call("nvmf_set_max_subsystems", "{'max_subsystems': 50}")),
                Combinators.combine(Arbitraries.of("posix", "uring", "ssl"), Arbitraries.of("recv", "send"),
                        Arbitraries.integers().between(0, 1 << 24))
                        .as((name, which, bytes) -> new Call("sock_impl_set_options",
                                "{'impl_name': '" + name + "', '" + which + "_buf_size': " + bytes + "}")));
    }

    /// Subsystems of the target with a namespace and listener each, where `NAME` stands for a number, `PORT` for a port.
    @Provide
    Arbitrary<List<List<Call>>> subsystems() {
        return Combinators.combine(
                Arbitraries.of("", ", 'allow_any_host': true", ", 'ana_reporting': true, 'max_namespaces': 3",
                        ", 'min_cntlid': 7, 'max_cntlid': 9, 'model_number': 'a model'"),
                Arbitraries.of("", ", 'nsid': 3", ", 'eui64': '0123456789abcdef'"),
                Arbitraries.of("127.0.0.1", "127.0.0.2"), Arbitraries.of(true, false))
                .as(SaveLoadSaveTest::subsystem).list().ofMaxSize(3);
    }

    private static List<Call> subsystem(String options, String namespace, String address, boolean host) {
        String nqn = "'nqn': 'nqn.2016-06.io.spdk:NAME'";
        List<Call> calls = new ArrayList<>(List.of(
                new Call("bdev_null_create", "{'name': 'ServedNAME', 'num_blocks': 64, 'block_size': 512}"),
                new Call("nvmf_create_subsystem", "{" + nqn + options + "}"),
                new Call("nvmf_subsystem_add_ns",
                        "{" + nqn + ", 'namespace': {'bdev_name': 'ServedNAME'" + namespace + "}}"),
                new Call("nvmf_subsystem_add_listener", "{" + nqn
                        + ", 'listen_address': {'trtype': 'TCP', 'traddr': '" + address + "', 'trsvcid': 'PORT'}}")));
        if (host) {
            calls.add(new Call("nvmf_subsystem_add_host", "{" + nqn + ", 'host': 'nqn.2014-08.org.example:h'}"));
        }
        return calls;
    }

    @Property(tries = 15)
    void isTheSameAfterALoad(@ForAll("settings") Call setting, @ForAll("objects") List<Call> bdevs,
            @ForAll("subsystems") List<List<Call>> subsystems) throws Exception {
        Path saved = folder.resolve("saved.json");
        String first;
        try (EmbeddedTarget target = start(options -> options.waitForRpc(true))) {
            target.call(setting.method(), setting.params());
            target.call("framework_start_init");
            for (int i = 0; i < bdevs.size(); i++) {
                target.call(bdevs.get(i).method(), bdevs.get(i).params().replace("NAME", "Bdev" + i));
            }
            target.call("nvmf_create_transport", "{'trtype': 'TCP', 'in_capsule_data_size': 8192}");
            int port = freePort();
            for (int i = 0; i < subsystems.size(); i++) {
                for (Call call : subsystems.get(i)) {
                    target.call(call.method(), call.params().replace("NAME", "s" + i).replace("PORT", "" + port));
                }
            }
            first = save();
        }
        Files.writeString(saved, first);
        try (EmbeddedTarget _ = start(options -> options.configFile(saved))) {
            assertEquals(first, save());
        }
        try (EmbeddedTarget _ = start(options -> options.waitForRpc(true))) {
            rpc("load_config", "-j", saved.toString());
            assertEquals(first, save());
        }
        Files.delete(saved);
    }

    private static EmbeddedTarget start(
            UnaryOperator<ApplicationOptions.Builder> more) throws Exception {
        return EmbeddedTarget.start("spdk_tgt",
                options -> more.apply(options.rpcAddress(folder.resolve("rpc.sock").toString())));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static String save() throws Exception {
        return rpc("save_config");
    }

    private static String rpc(String... words) throws Exception {
        String[] arguments = new String[words.length + 2];
        arguments[0] = "-s";
        arguments[1] = folder.resolve("rpc.sock").toString();
        System.arraycopy(words, 0, arguments, 2, words.length);
        Result result = RpcProgram.run(arguments);
        assertEquals(0, result.status(), result.err());
        return result.out();
    }
}
