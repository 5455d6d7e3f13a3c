package io.spindrift.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.test.launcher.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How `launcher/count-tests` reads Surefire's reports.
class CountTestsTest {
    @TempDir
    private Path scratch;

    private Path marker;

    @BeforeEach
    void begin() throws IOException {
        marker = Files.createFile(scratch.resolve("marker"));
        Files.setLastModifiedTime(marker, FileTime.from(Instant.now().minusSeconds(60)));
    }

    @Test
    void sumsAllModules() throws Exception {
        report("one", "A", "<testcase name=\"a\" classname=\"x.A\" time=\"0\"/>\n");
        report("two/three", "B", """
                <testcase name="b" classname="x.B" time="0"/>
                <testcase name="c" classname="x.B" time="0"/>
                """);
        assertEquals(new Result(0, "3 passed, 0 failed, 0 skipped\n", ""), count());
    }

    @Test
    void printsEverySkippedTestWithItsReason() throws Exception {
        report("one", "A", """
                <testcase name="a" classname="x.A" time="0">
                  <skipped message="no &lt;device&gt; &quot;x&quot; &amp; y"/>
                </testcase>
                <testcase name="b" classname="x.A" time="0">
                  <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException:\s
                Assumption failed: no hugepages
                \tat org.junit.jupiter.api.Assumptions.throwAssumptionFailed(Assumptions.java:321)
                ]]></skipped>
                </testcase>
                <testcase name="c" classname="x.A" time="0"/>
                """);
        assertEquals(new Result(0, """
                skipped: A.a: no <device> "x" & y
                skipped: A.b: no hugepages
                1 passed, 0 failed, 2 skipped
                """, ""), count());
    }

    @Test
    void countsFailuresAndErrorsAndFails() throws Exception {
        report("one", "A", """
                <testcase name="a" classname="x.A" time="0">
                  <failure message="expected: 1" type="E"><![CDATA[E: expected: 1
                \tat x.A.a(A.java:9)
                ]]></failure>
                  <system-out><![CDATA[
                    <skipped message="only printed"/>
                <testcase name="printed" classname="x.P">
                ]]></system-out>
                </testcase>
                <testcase name="" classname="x.A" time="0">
                  <error message="b=2" type="E"><![CDATA[E: b=2
                \tat x.A.b(A.java:9)
                ]]></error>
                </testcase>
                """);
        assertEquals(new Result(1, """
                failed: A.a: expected: 1
                failed: A: b=2
                0 passed, 2 failed, 0 skipped
                """, ""), count());
    }

    @Test
    void passesOverReportsOfEarlierRuns() throws Exception {
        Path old = report("one", "A", "<testcase name=\"a\" classname=\"x.A\" time=\"0\"/>\n");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(120)));
        assertEquals(new Result(1, "0 passed, 0 failed, 0 skipped\n", ""), count());
    }

    private Path report(String module, String name, String cases) throws IOException {
        Path reports = Files.createDirectories(scratch.resolve(module).resolve("target/surefire-reports"));
        return Files.writeString(reports.resolve("TEST-x." + name + ".xml"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite name="x" time="0" tests="9" errors="9" skipped="9" failures="9">
                  <properties>
                    <property name="java.version" value="25"/>
                  </properties>
                """ + cases.indent(2).replace("  \tat", "\tat") + "</testsuite>\n");
    }

    private Result count() throws IOException, InterruptedException {
        return Command.run(scratch, Map.of(), House.path("launcher/count-tests").toString(), scratch.toString(),
                marker.toString());
    }
}
