// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tiny runs of each report: whether what comes out is complete, never how fast it is. */
@Timeout(300)
class BenchTest {
    private static final List<String> TINY =
            List.of("--quick", "--millis=20", "--files=10", "--fast-files=12", "--warmup=1", "--tasks=1,2");

    @TempDir
    private Path folder;

    @AfterEach
    void nothingIsLeftBehind() throws IOException {
        assertThat(Tool.run("losetup", "-a").output()).doesNotContain(folder.toString());
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(folder.toString());
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(Path::getFileName).map(Path::toString))
                    .noneMatch(name -> name.startsWith("ext4-bench."));
        }
    }

    @Test
    void bothReportsInProcess() throws Exception {
        Path out = folder.resolve("out");
        String text = bench("--place=in-process", "--out=" + out);
        assertThat(text)
                .contains("fchown pairs per ms, in-process, no journal", "fchown pairs per ms, in-process, journal")
                .containsPattern("tasks +global before +global after +sharded before +sharded after")
                .contains("8 directories of empty files, 2 tasks side by side, journal; seconds")
                .containsPattern("in-process, global +96 ")
                .containsPattern("in-process, sharded +96 ")
                .containsPattern("in-process, sharded / in-process, global +remove")
                .contains("changes of the orphan list on disk while files were removed")
                .contains("no system call is in the figure");
        // fchown: 2 journal modes, 4 variants, 2 numbers of tasks; unlink: 2 strategies, 2 numbers, 3 phases
        List<String> lines = Files.readAllLines(out.resolve("samples.csv"));
        assertThat(lines).hasSize(1 + 16 + 12);
        assertThat(lines).allMatch(line -> line.split(",", -1).length == 15);
        assertThat(lines).filteredOn(line -> line.contains(",remove,")).allMatch(line -> line.contains(",96,"));
        for (String chart : List.of("fchown-in-process-no-journal", "remove-in-process-journal")) {
            assertThat(chart(out.resolve(chart + ".svg"))).contains("in-process, sharded", "in-process, global");
        }
        assertThat(chart(out.resolve("removers-journal.svg"))).contains("first rm; last rm; all free");
    }

    @Test
    void bothReportsOnMountsAndPeers() throws Exception {
        Oracles.needFuse();
        Oracles.needKernelMounts();
        Path csv = folder.resolve("samples.csv");
        String text = bench("--place=mount", "--journal=journal", "--strategy=sharded", "--peer=all", "--csv=" + csv);
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines)
                .filteredOn(line -> line.contains("mount fuse,sharded,false,fchown"))
                .hasSize(2);
        assertThat(lines)
                .filteredOn(line -> line.contains("mount fuse,sharded,false,remove"))
                .hasSize(2);
        for (String peer : List.of("kernel ext4", "kernel xfs", "fuse2fs", "null fuse")) {
            if (!text.contains(peer + " is left out: ")) {
                assertThat(lines)
                        .filteredOn(line -> line.contains("," + peer + ","))
                        .as(peer)
                        .hasSize(8);
            }
        }
        assertThat(text).doesNotContain("null fuse is left out", "kernel ext4 is left out");
        assertThat(text).contains("mount fuse, sharded / null fuse", "mount fuse, sharded / kernel ext4");
    }

    @Test
    void aSwitchInMidRun() throws Exception {
        Path out = folder.resolve("out");
        String text = bench("--live", "--place=in-process", "--out=" + out);
        assertThat(text)
                .contains("in-process, 8 tasks create and unlink, journal")
                .containsPattern("at [0-9.]+ s: global -> sharded: [0-9]+ orphans carried, pause [0-9]+ us")
                .containsPattern("at [0-9.]+ s: sharded -> global: [0-9]+ orphans carried, pause [0-9]+ us")
                .contains("failed calls: 0\n");
        assertThat(chart(out.resolve("live-in-process.svg"))).contains("creates and unlinks", "global -> sharded");
    }

    @Test
    void aSwitchInMidRunOnAMount() throws Exception {
        Oracles.needFuse();
        assertThat(bench("--live", "--place=mount"))
                .contains("mount fuse, 8 tasks create and unlink, journal")
                .containsPattern("at [0-9.]+ s: global -> sharded: [0-9]+ orphans carried, pause [0-9]+ us")
                .contains("failed calls: 0\n");
    }

    @Test
    void theProfileOfGlobalShowsTheMutex() throws Exception {
        String text = bench("--profile", "--place=in-process");
        assertThat(text)
                .containsPattern("ext4.orphan.global.GlobalOrphanList.lock:[0-9]+ +task +park +ReentrantLock")
                .containsPattern("waits of tasks for the mutex of global: [1-9]")
                .contains("waits of tasks for the mutex of global: 0")
                .contains("ext4.core.alloc.GroupTable.freeInodes");
    }

    @Test
    void anUnknownWordIsRefusedInOneLine() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            assertThat(Main.run("--peer=ntfs")).isEqualTo(2);
        } finally {
            System.setErr(before);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("ext4: bench: --peer knows no 'ntfs'");
    }

    /** What it prints, in the folder of the test. */
    private String bench(String... arguments) {
        List<String> line = new ArrayList<>(TINY);
        line.add("--dir=" + folder);
        line.addAll(List.of(arguments));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            assertThat(Main.run(line.toArray(String[]::new))).isZero();
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The text of an SVG file, which is well-formed. */
    private static String chart(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        return factory.newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement()
                .getTextContent();
    }
}
