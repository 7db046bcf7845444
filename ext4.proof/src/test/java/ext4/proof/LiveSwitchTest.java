// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.control.socket.ControlClient;
import ext4.control.socket.SocketPath;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The product's signature: the orphan strategy is switched on a mounted filesystem under load, and no call fails. */
class LiveSwitchTest {
    private static final int SWITCHES = 100;
    private static final int REQUESTS_BETWEEN = 200;
    private static final Pattern PAUSE = Pattern.compile("pause (\\d+) us");

    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
        Oracles.needTool("fs_mark");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fuse", "fuse-uring"})
    void aHundredSwitchesWhileFilesAreMadeAndRemoved(String transport) throws Exception {
        Ext4.needTransport(transport);
        Path image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 512L << 20, "-O", "orphan_file");
        Path directory = Files.createDirectory(temp.resolve("mnt"));
        Ext4.run("mount", "-o", "orphan=global,transport=" + transport, image.toString(), directory.toString())
                .ok();
        assertTrue(
                Ext4.run("status", directory.toString()).ok().output().contains("transport: " + transport + "\n"),
                "status says which transport is at work");
        List<Long> pauses;
        AtomicBoolean enough = new AtomicBoolean();
        try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
            Callable<Integer> work = () -> {
                RemoveLoad load = new RemoveLoad(directory, 400);
                int rounds = 0;
                while (!enough.get()) {
                    load.round();
                    rounds++;
                }
                return rounds;
            };
            Future<Integer> load = pool.submit(work);
            try {
                pauses = switchBackAndForth(directory, load);
            } finally {
                enough.set(true);
            }
            assertTrue(load.get() > 0, "the load made no whole round");
        } finally {
            Ext4.run("umount", directory.toString()).ok();
        }
        E2fsprogs.assertClean(image, "after " + SWITCHES + " switches");
        try (LoopMount kernel = new LoopMount(image, "ro")) {
            assertEquals(List.of("lost+found"), List.of(kernel.root().toFile().list()));
        }
        Collections.sort(pauses);
        System.out.printf(
                "%d switches under load on %s, pause in us: min %d, median %d, max %d%n",
                SWITCHES, transport, pauses.getFirst(), pauses.get(SWITCHES / 2), pauses.getLast());
    }

    /** The first and the last by the command, the others over its socket: a JVM a switch would leave the load no time. */
    private static List<Long> switchBackAndForth(Path directory, Future<Integer> load) throws Exception {
        ControlClient mount = new ControlClient(SocketPath.socket(
                SocketPath.runDirectory(), directory.toRealPath().toString()));
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < SWITCHES; i++) {
            awaitRequests(mount, load);
            String to = i % 2 == 0 ? "sharded" : "global";
            String report = i == 0 || i == SWITCHES - 1
                    ? Ext4.run("strategy", directory.toString(), to).ok().output()
                    : String.join("\n", mount.ask("strategy " + to));
            Matcher pause = PAUSE.matcher(report);
            assertTrue(pause.find(), report);
            pauses.add(Long.parseLong(pause.group(1)));
        }
        return pauses;
    }

    /** Returns when the load has made some more changes, so that each switch meets it at another point. */
    private static void awaitRequests(ControlClient mount, Future<Integer> load) throws Exception {
        long goal = handles(mount) + REQUESTS_BETWEEN;
        while (handles(mount) < goal) {
            if (load.isDone()) {
                load.get(); // it failed: say why
            }
        }
    }

    private static long handles(ControlClient mount) throws Exception {
        return mount.ask("status").stream()
                .filter(line -> line.startsWith("journal handles: "))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(' ', 10) + 1).strip()))
                .findFirst()
                .orElseThrow();
    }
}
