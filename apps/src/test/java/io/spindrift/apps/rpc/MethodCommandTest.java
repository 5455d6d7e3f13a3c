package io.spindrift.apps.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcName;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.rpc.Unsigned;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MethodCommandTest {
    enum Level {
        @RpcName("ERROR")
        ERROR, @RpcName("DEBUG")
        DEBUG
    }

    record Create(@Positional String filename, @Positional @Unsigned(32) long size,
            @Positional OptionalInt blockSize, @Option({"-u", "--uuid"}) Optional<String> uuid,
            @Option(value = {"-t", "--dif-type"}, choices = {"0", "1", "2", "3"}) @Default("0") int difType,
            @Option({"-r", "--readonly"}) @Default("false") boolean readonly,
            @Option(value = {"-d", "--disable-cache"}, negated = true) @Default("true") boolean cache,
            @Option(value = {"--monitor", "--no-monitor"}, older = {"-e=--monitor",
                    "--still=--no-monitor"}) Optional<Boolean> monitor,
            @Option({"-b", "--bases"}) @Default("[]") List<String> bases,
            @Option({"-l", "--level"}) @Default("ERROR") Level level, Optional<String> hostNqn) {}

    /// As the peer's bdev_null_create: the command line takes MiB, the method blocks.
    record Blocks(String name, long numBlocks, int blockSize) {}

    record Mebibytes(@Positional String name, @Positional int totalSize, @Positional int blockSize)
            implements
                CliForm<Blocks> {
        @Override
        public Blocks toParams() {
            if (blockSize <= 0) {
                throw new IllegalArgumentException("block_size=" + blockSize + " must be at least 1");
            }
            return new Blocks(name, totalSize * 1024L * 1024 / blockSize, blockSize);
        }
    }

    private static final RpcMethod<Create> CREATE = RpcMethod.of("create", Create.class, RpcState.RUNTIME)
            .summary("Creates it.");
    private static final RpcMethod<Blocks> BLOCKS = RpcMethod.of("blocks", Blocks.class, RpcState.RUNTIME)
            .cli(Mebibytes.class);

    private static String params(RpcMethod<?> method, String words) throws UsageException {
        return Json.compact(new MethodCommand(method).parameters(ShellWords.split(words)).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"f 7                       | {'filename':'f','size':7}",
            "f 0x10 512                 | {'filename':'f','size':16,'block_size':512}",
            "-r f 7 512                 | {'filename':'f','size':7,'block_size':512,'readonly':true}",
            "f -t 1 7                   | {'filename':'f','size':7,'dif_type':1}",
            "f 7 --dif-type=2           | {'filename':'f','size':7,'dif_type':2}",
            "f 7 -t 1 -t 3              | {'filename':'f','size':7,'dif_type':3}",
            "f 7 --dif 2                | {'filename':'f','size':7,'dif_type':2}",
            "f 7 -u a-b --host-nqn c    | {'filename':'f','size':7,'uuid':'a-b','host_nqn':'c'}",
            "f 7 -d                     | {'filename':'f','size':7,'cache':false}",
            "f 7 --monitor              | {'filename':'f','size':7,'monitor':true}",
            "f 7 --no-monitor           | {'filename':'f','size':7,'monitor':false}",
            "f 7 -e                     | {'filename':'f','size':7,'monitor':true}",
            "f 7 --still                | {'filename':'f','size':7,'monitor':false}",
            "f 7 -b a -b b              | {'filename':'f','size':7,'bases':['a','b']}",
            "f 7 -b \"a b,c\"           | {'filename':'f','size':7,'bases':['a','b','c']}",
            "f 7 -l DEBUG               | {'filename':'f','size':7,'level':'DEBUG'}",
            "\"\" 7 -u \"\"             | {'filename':'','size':7,'uuid':''}",
            "@f 7 -u ${x}               | {'filename':'@f','size':7,'uuid':'${x}'}",
            "-- -f 7                    | {'filename':'-f','size':7}"})
    void turnsWordsIntoParametersAndLeavesOutWhatIsNotTyped(String words, String json) throws UsageException {
        assertEquals(json.replace('\'', '"'), params(CREATE, words));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"f              | size", "f x            | size: x must be a whole number",
            "f 7 -t 4       | -t/--dif-type: 4 must be one of 0, 1, 2, 3",
            "f 7 -l debug   | -l/--level: debug must be one of ERROR, DEBUG", "f 7 8 9        | 9",
            "f 7 --nonsense | --nonsense", "f 7 -u         | -u"})
    void refusesWhatIsTypedWrongly(String words, String part) {
        UsageException e = assertThrows(UsageException.class, () -> params(CREATE, words));
        assertTrue(e.getMessage().startsWith("create: "), e.getMessage());
        assertTrue(e.getMessage().contains(part), e.getMessage());
        assertTrue(e.usage().startsWith("usage: rpc create"), e.usage());
    }

    @Test
    void computesParametersByTheForm() throws UsageException {
        // rpc bdev_null_create null1 102400 512: 100 GiB in blocks of 512 bytes
        assertEquals("{\"name\":\"null1\",\"num_blocks\":209715200,\"block_size\":512}",
                params(BLOCKS, "null1 102400 512"));
    }

    @Test
    void showsTheFormsRefusal() {
        UsageException e = assertThrows(UsageException.class, () -> params(BLOCKS, "null1 102400 0"));
        assertEquals("blocks: block_size=0 must be at least 1", e.getMessage());
    }

    @Test
    void explainsItselfWhenAskedTo() throws UsageException {
        MethodCommand command = new MethodCommand(CREATE);
        assertEquals(Optional.empty(), command.parameters(List.of("-h")));
        assertTrue(command.usage().contains("Creates it."), command.usage());
        assertTrue(command.usage().contains("0, 1, 2, 3"), command.usage());
    }
}
