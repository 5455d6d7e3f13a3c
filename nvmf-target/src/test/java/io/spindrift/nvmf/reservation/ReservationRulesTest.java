package io.spindrift.nvmf.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/// The rules against a second, naive reading of the specification's sentences (NVM Express Base 2.0, 8.19).
class ReservationRulesTest {
    private static final int OK = 0;
    private static final int INVALID_FIELD = 0x02;
    private static final int INTERNAL_ERROR = 0x06;
    private static final int CONFLICT = 0x83;
    private static final int REGISTRATION_PREEMPTED = 1;
    private static final int RESERVATION_RELEASED = 2;
    private static final int RESERVATION_PREEMPTED = 3;

    /// A command of one of a few hosts, with keys of which some match.
    private record Command(int opcode, int host, int action, boolean ignoreKey, int type, int cptpl, long key,
            long second) {
        Outcome on(Reservations now) {
            UUID id = id(host);
            return switch (opcode) {
                case 0 -> ReservationRules.register(now, true, id, action, ignoreKey, cptpl, key, second);
                case 1 -> ReservationRules.acquire(now, id, action, ignoreKey, type, key, second);
                default -> ReservationRules.release(now, id, action, ignoreKey, type, key);
            };
        }
    }

    private static UUID id(int host) {
        return new UUID(0x1111, host);
    }

    /// What the specification says of the namespace, as variables.
    private static final class Naive {
        final Map<Integer, Long> keys = new TreeMap<>();
        final Set<String> told = new HashSet<>();
        int type;
        int holder;
        boolean ptpl;
        int generation;

        int run(Command command) {
            told.clear();
            return switch (command.opcode) {
                case 0 -> register(command);
                case 1 -> acquire(command);
                default -> release(command);
            };
        }

        boolean allRegistrants() {
            return type == 5 || type == 6;
        }

        boolean holds(int host) {
            return type != 0 && (allRegistrants() ? keys.containsKey(host) : holder == host);
        }

        private void tell(int host, int what) {
            told.add(host + " " + what);
        }

        private void tellOthers(int issuer, int what) {
            keys.keySet().stream().filter(host -> host != issuer).forEach(host -> tell(host, what));
        }

        private int register(Command c) {
            if (c.cptpl == 1) {
                return INVALID_FIELD;
            }
            Long mine = keys.get(c.host);
            switch (c.action) {
                case 0 -> {
                    if (c.second == 0) {
                        return INVALID_FIELD;
                    }
                    if (mine != null && mine != c.second) {
                        return CONFLICT;
                    }
                    keys.put(c.host, c.second);
                }
                case 1 -> {
                    if (mine == null || !c.ignoreKey && mine != c.key) {
                        return CONFLICT;
                    }
                    int before = type;
                    remove(c.host);
                    if (before >= 3 && type == 0) {
                        tellOthers(c.host, RESERVATION_RELEASED);
                    }
                }
                case 2 -> {
                    if (c.second == 0) {
                        return INVALID_FIELD;
                    }
                    if (!c.ignoreKey && (mine == null || mine != c.key)) {
                        return CONFLICT;
                    }
                    keys.put(c.host, c.second);
                }
                default -> {
                    return INVALID_FIELD;
                }
            }
            if (c.cptpl != 0) {
                ptpl = c.cptpl == 3;
            }
            generation++;
            return OK;
        }

        private void remove(int host) {
            boolean last = allRegistrants() ? keys.size() == 1 : type != 0 && holder == host;
            keys.remove(host);
            if (last) {
                type = 0;
            }
        }

        private int acquire(Command c) {
            if (c.ignoreKey || c.type < 1 || c.type > 6 || c.action > 2) {
                return INVALID_FIELD;
            }
            if (!keys.containsKey(c.host) || keys.get(c.host) != c.key) {
                return CONFLICT;
            }
            if (c.action == 0) {
                if (type != 0) {
                    return holds(c.host) && type == c.type ? OK : CONFLICT;
                }
                type = c.type;
                holder = c.host;
                return OK;
            }
            boolean takes = allRegistrants() ? c.second == 0 : type != 0 && keys.get(holder) == c.second;
            if (!takes && type != 0 && !allRegistrants() && c.second == 0) {
                return INVALID_FIELD;
            }
            if (!takes && !keys.containsValue(c.second)) {
                return CONFLICT;
            }
            int before = type;
            for (int host : new ArrayList<>(keys.keySet())) {
                boolean victim = keys.get(host) == c.second || before >= 5 && c.second == 0;
                if (victim && !(takes && host == c.host)) {
                    remove(host);
                    if (host != c.host) {
                        tell(host, REGISTRATION_PREEMPTED);
                    }
                }
            }
            if (takes) {
                type = c.type;
                holder = c.host;
                if (before != type) {
                    tellOthers(c.host, RESERVATION_RELEASED);
                }
            }
            generation++;
            return OK;
        }

        private int release(Command c) {
            if (c.ignoreKey || c.action > 1) {
                return INVALID_FIELD;
            }
            if (!keys.containsKey(c.host) || keys.get(c.host) != c.key) {
                return CONFLICT;
            }
            if (c.action == 1) {
                tellOthers(c.host, RESERVATION_PREEMPTED);
                keys.clear();
                type = 0;
                generation++;
            } else if (holds(c.host)) {
                if (type != c.type) {
                    return INVALID_FIELD;
                }
                if (type >= 3) {
                    tellOthers(c.host, RESERVATION_RELEASED);
                }
                type = 0;
            }
            return OK;
        }
    }

    @Provide
    Arbitrary<List<Command>> commands() {
        Arbitrary<Integer> mostlyValid = Arbitraries.integers().between(0, 3);
        return Combinators.combine(Arbitraries.integers().between(0, 2), Arbitraries.integers().between(1, 3),
                mostlyValid, Arbitraries.of(false, false, false, true), Arbitraries.integers().between(0, 7),
                Arbitraries.of(0, 0, 1, 2, 3), Arbitraries.longs().between(0, 2), Arbitraries.longs().between(0, 2))
                .as(Command::new).list().ofMinSize(1).ofMaxSize(60);
    }

    @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
    void doWhatTheSpecificationSays(@ForAll("commands") List<Command> commands) {
        Naive naive = new Naive();
        Reservations now = Reservations.NONE;
        for (Command command : commands) {
            int expected = naive.run(command);
            Outcome outcome = command.on(now);
            assertEquals(expected, outcome.status() & 0x7ff, command + " on " + now);
            if (expected != OK) {
                assertSame(now, outcome.next());
                assertEquals(List.of(), outcome.notices());
            }
            now = outcome.next();
            assertEquals(naive.generation, now.generation(), command::toString);
            assertEquals(naive.type, now.type().code(), command::toString);
            assertEquals(naive.ptpl, now.persistent());
            Map<Integer, Long> keys = new TreeMap<>();
            now.registrants().forEach(
                    registrant -> keys.put((int) registrant.hostId().getLeastSignificantBits(), registrant.key()));
            assertEquals(naive.keys, keys, command::toString);
            for (int host = 1; host <= 3; host++) {
                assertEquals(naive.holds(host), now.holds(id(host)), command::toString);
            }
            Set<String> told = new HashSet<>();
            outcome.notices().forEach(
                    notice -> told.add(notice.hostId().getLeastSignificantBits() + " " + notice.type()));
            assertEquals(naive.told, told, command::toString);
            assertEquals(command.opcode == 1 && command.action == 2 && expected == OK, outcome.aborts());
        }
    }

    @Test
    void tellsNobodyWhatIsMasked() {
        for (int mask : new int[]{0, 1 << 3}) { // RESPRE
            Reservations now = Reservations.NONE.masked(mask);
            now = ReservationRules.register(now, false, id(1), 0, false, 0, 0, 7).next();
            now = ReservationRules.register(now, false, id(2), 0, false, 0, 0, 8).next();
            assertEquals(mask == 0 ? List.of(new Notice(id(2), RESERVATION_PREEMPTED)) : List.of(),
                    ReservationRules.release(now, id(1), 1, false, 0, 7).notices());
        }
    }

    @Test
    void limitsRegistrants() {
        Reservations now = Reservations.NONE;
        for (int host = 0; host < Reservations.MAX_REGISTRANTS; host++) {
            Outcome outcome = ReservationRules.register(now, false, id(host), 0, false, 0, 0, host + 1);
            assertEquals(OK, outcome.status());
            now = outcome.next();
        }
        assertEquals(INTERNAL_ERROR, ReservationRules.register(now, false, id(-1), 0, false, 0, 0, 1).status() & 0x7ff);
        assertEquals(OK, ReservationRules.register(now, false, id(3), 0, false, 0, 0, 4).status(), "its key again");
    }

    @Test
    void keepsThroughPowerLossOnlyWhatCanBeKept() {
        assertEquals(INVALID_FIELD, ReservationRules.register(Reservations.NONE, false, id(1), 0, false, 3, 0, 7)
                .status() & 0x7ff);
        Reservations kept = ReservationRules.register(Reservations.NONE, true, id(1), 0, false, 3, 0, 7).next();
        assertTrue(kept.persistent());
        assertEquals(Optional.of(new Registrant(id(1), 7)), kept.registrant(id(1)));
    }
}
