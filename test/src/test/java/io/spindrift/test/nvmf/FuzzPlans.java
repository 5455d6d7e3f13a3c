package io.spindrift.test.nvmf;

import io.spindrift.test.nvmf.FuzzHost.Plan;
import io.spindrift.test.nvmf.FuzzHost.Setup;
import io.spindrift.test.nvmf.FuzzStream.Kind;
import io.spindrift.test.nvmf.FuzzStream.Step;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;

/// What hosts may do, for properties: 1 to 20 steps each.
final class FuzzPlans {
    /// What most likely ends the connection is rare, so that the rest is not sent in vain.
    private static final List<Tuple2<Integer, Kind>> KINDS = Arrays.stream(Kind.values())
            .map(kind -> Tuple.of(switch (kind) {
                case ADMIN, IO, IN_CAPSULE, ANSWERED_WRITE -> 6;
                case DESCRIPTOR, PROPERTY, CONNECT -> 3;
                case STRAY_DATA, INITIALIZATION, TERMINATION, HEADER, BITS, CUT, GARBAGE, BADLY_ANSWERED_WRITE -> 1;
            }, kind)).toList();

    private FuzzPlans() {}

    static Arbitrary<Plan> plans() {
        Arbitrary<Step> steps = Combinators.combine(Arbitraries.frequency(KINDS), Arbitraries.longs()).as(Step::new);
        Arbitrary<Setup> setups = Arbitraries.frequency(Tuple.of(1, Setup.NOTHING), Tuple.of(1, Setup.INITIALIZED),
                Tuple.of(3, Setup.ADMIN_QUEUE), Tuple.of(5, Setup.IO_QUEUE));
        return Combinators.combine(setups, Arbitraries.of(true, false), Arbitraries.of(true, false),
                steps.list().ofMinSize(1).ofMaxSize(20)).as(Plan::new).withoutEdgeCases();
    }
}
