package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SubsystemGraphTest {
    private record Part(String name, List<String> dependsOn) implements Subsystem {
        Part(String name, String... dependsOn) {
            this(name, List.of(dependsOn));
        }

        @Override
        public void init() {}

        @Override
        public void shutdown() {}
    }

    private static List<String> order(Subsystem... subsystems) {
        return new SubsystemGraph(List.of(subsystems)).order().stream().map(Subsystem::name).toList();
    }

    private static String refusal(Subsystem... subsystems) {
        return assertThrows(IllegalArgumentException.class, () -> order(subsystems)).getMessage();
    }

    @Test
    void startsADependencyFirst() {
        assertEquals(List.of("iobuf", "accel", "bdev", "nvmf"), order(new Part("nvmf", "bdev", "accel"),
                new Part("bdev", "accel", "iobuf"), new Part("accel", "iobuf"), new Part("iobuf")));
    }

    @Test
    void keepsTheGivenOrderWhereNothingDepends() {
        assertEquals(List.of("scheduler", "sock", "iobuf"),
                order(new Part("scheduler"), new Part("sock"), new Part("iobuf")));
    }

    @Test
    void namesAMissingDependency() {
        assertEquals("subsystem bdev depends on accel, which this program does not have",
                refusal(new Part("bdev", "accel")));
    }

    @Test
    void namesACircle() {
        assertEquals("subsystems depend on each other in a circle: b -> c -> b",
                refusal(new Part("a", "b"), new Part("b", "c"), new Part("c", "b")));
        assertEquals("subsystems depend on each other in a circle: a -> a", refusal(new Part("a", "a")));
    }

    @Test
    void namesASubsystemThatIsThereTwice() {
        assertEquals("subsystem a is there twice", refusal(new Part("a"), new Part("a")));
    }

    @Test
    void findsByName() {
        Part bdev = new Part("bdev");
        SubsystemGraph graph = new SubsystemGraph(List.of(bdev));

        assertEquals(bdev, graph.find("bdev").orElseThrow());
        assertTrue(graph.find("none").isEmpty());
    }
}
