// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import ext4.device.FileBlockDeviceProvider;
import ext4.testkit.device.FailingDevice;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A hand-over fails at each of its steps: the old core goes on, or says that its journal aborted; nothing is lost. */
class RefusedHandOverTest {
    private static final int ROOT = TestMount.ROOT;
    private static final byte[] BYTES = TestMount.bytes("0123456789".repeat(700));

    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    /** A journal provider that does as another, or throws. */
    private record Throwing(JournalProvider base, Supplier<Throwable> inRecover, Supplier<Throwable> inOpen)
            implements JournalProvider {
        @Override
        public boolean journals() {
            return base.journals();
        }

        @Override
        public JournalRecovery recover(JournalHost host) {
            raise(inRecover.get());
            return base.recover(host);
        }

        @Override
        public Journal open(JournalHost host, JournalOptions options) {
            raise(inOpen.get());
            return base.open(host, options);
        }
    }

    private static void raise(Throwable what) {
        switch (what) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError(what);
        }
    }

    @ParameterizedTest(name = "mke2fs {0}")
    @ValueSource(strings = {"-b 4096 -O orphan_file", "-b 1024 -O ^orphan_file", "-b 4096 -O ^has_journal"})
    void whoIsRefusedGoesOn(String options) {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 32L << 20, options.split(" "));
        try (SwappableMount mount = new SwappableMount(image, "sharded")) {
            int deleted = mount.create(ROOT, "deleted");
            mount.write(deleted, 0, BYTES);
            mount.unlink(ROOT, "deleted");
            int file = mount.create(ROOT, "file");
            List<Supplier<Throwable>> reasons = List.of(
                    () -> new IllegalStateException("refused"),
                    () -> new OutOfMemoryError("planned"),
                    () -> new CorruptException("x", 1, "y", "found", "expected"),
                    () -> new DeviceException("gone"));
            int step = 0;
            for (Supplier<Throwable> reason : reasons) {
                OrphanStrategy refusing = (store, present) -> {
                    assertThat(present).extracting(OrphanPlace::ino).containsExactly(deleted);
                    raise(reason.get());
                    return null;
                };
                refuse(mount, new Throwing(mount.journal(), () -> null, () -> null), refusing, reason);
                refuse(mount, new Throwing(mount.journal(), () -> null, reason), TestMount.strategy("global"), reason);
                if (mount.journal().journals()) {
                    refuse(
                            mount,
                            new Throwing(mount.journal(), reason, () -> null),
                            TestMount.strategy("global"),
                            reason);
                }
                mount.write(file, step++ * (long) BYTES.length, BYTES);
                mount.run(fs -> fs.fsync(file, false));
                assertThat(mount.read(deleted, 0, BYTES.length)).isEqualTo(BYTES);
            }
            mount.swap("global");
            assertThat(mount.read(deleted, 0, BYTES.length)).isEqualTo(BYTES);
            mount.forget(deleted);
            mount.run(CoreFileSystem::awaitEvictions);
            assertThat(mount.fs().orphans()).isEmpty();
        }
        E2fsprogs.assertClean(image, options);
    }

    private static void refuse(
            SwappableMount mount, JournalProvider journal, OrphanStrategy strategy, Supplier<Throwable> reason) {
        PinnedInodes pins = mount.fs().freeze();
        assertThatThrownBy(() ->
                        new Ext4CoreProvider().adopt(mount.device, mount.options, journal, "refusing", strategy, pins))
                .hasMessage(reason.get().getMessage());
        if (!(journal instanceof Throwing throwing && throwing.inRecover.get() != null)) { // a thaw replays nothing
            assertThatThrownBy(() -> mount.fs().thaw(journal, "refusing", strategy))
                    .hasMessage(reason.get().getMessage());
        }
        mount.fs().thaw(mount.journal(), "sharded", TestMount.strategy("sharded"));
    }

    @ParameterizedTest(name = "mke2fs {0}, fails {1}")
    @CsvSource({
        "-b 1024 -O orphan_file, once",
        "-b 1024 -O orphan_file, for good",
        "-b 1024 -O ^orphan_file, once",
        "-b 1024 -O ^has_journal, once",
        "-b 1024 -O ^has_journal, for good",
    })
    void theDeviceFailsAtEachOperation(String options, String how) throws Exception {
        Path base = folder.resolve("base");
        E2fsprogs.mke2fs(base, 8L << 20, (options + " -N 200").split(" "));
        boolean once = how.equals("once");
        int aborted = 0;
        int thawed = 0;
        int at = 0;
        for (boolean more = true; more; at++) {
            Path image = Files.copy(base, folder.resolve("image" + at));
            String outcome;
            try (Scene scene = new Scene(image)) {
                outcome = scene.handOver(at, once);
                scene.judge(outcome);
            }
            more = !outcome.equals("done");
            aborted += outcome.equals("aborted") ? 1 : 0;
            thawed += outcome.equals("thawed") ? 1 : 0;
            judge(image, options, outcome + " at operation " + at);
            Files.delete(image);
        }
        System.out.printf("%s, %s: %d operations, %d aborts, %d thawed%n", options, how, at - 1, aborted, thawed);
        assertThat(aborted).isPositive();
        assertThat(thawed).isPositive();
    }

    /** A file that fsync made durable, an open one without a name, and changes that a commit has yet to write. */
    private static final class Scene implements AutoCloseable {
        final FailingDevice device;
        final SwappableMount mount;
        final int durable;
        final int deleted;

        Scene(Path image) {
            BlockDevice file = new FileBlockDeviceProvider().open(image.toString(), false);
            device = new FailingDevice(file);
            mount = new SwappableMount(device, "sharded", MountOptions.DEFAULTS);
            durable = mount.create(ROOT, "durable");
            mount.write(durable, 0, BYTES);
            deleted = mount.create(ROOT, "deleted");
            mount.write(deleted, 0, BYTES);
            mount.run(fs -> fs.fsync(durable, false));
            mount.unlink(ROOT, "deleted");
            mount.create(ROOT, "new");
        }

        /** What came of it: done, aborted, or thawed. */
        String handOver(int failAt, boolean once) {
            device.failIn(failAt, once);
            long first = device.operations();
            CoreFileSystem old = mount.fs();
            PinnedInodes pins;
            try {
                pins = old.freeze();
            } catch (DeviceException e) {
                device.heal();
                if (old.readOnly()) {
                    return "aborted";
                }
                old.freeze(); // it lost nothing, and can be asked again
                old.thaw(mount.journal(), "global", TestMount.strategy("global"));
                return "thawed";
            }
            CoreFileSystem next;
            try {
                next = mount.adopt("global", TestMount.strategy("global"), pins);
            } catch (DeviceException e) {
                device.heal();
                old.thaw(mount.journal(), "global", TestMount.strategy("global"));
                return "thawed";
            }
            old.close();
            mount.goOn(next);
            boolean met = device.operations() - first > failAt;
            device.heal();
            assertThat(met).as("a failure that nobody met").isFalse();
            return "done";
        }

        void judge(String outcome) {
            assertThat(mount.read(durable, 0, BYTES.length)).isEqualTo(BYTES);
            assertThat(mount.read(deleted, 0, BYTES.length)).isEqualTo(BYTES);
            if (!outcome.equals("aborted")) {
                int after = mount.create(ROOT, "after");
                mount.write(after, 0, BYTES);
                mount.run(fs -> fs.fsync(after, false));
                mount.forget(deleted);
                mount.run(CoreFileSystem::awaitEvictions);
                assertThat(mount.fs().orphans()).isEmpty();
            }
        }

        @Override
        public void close() {
            mount.close();
        }
    }

    private void judge(Path image, String options, String when) {
        if (!when.startsWith("aborted")) {
            E2fsprogs.assertClean(image, when);
        } else if (!options.contains("^has_journal")) {
            assertThat(Tool.run("e2fsck", "-fy", image).exit()).as(when).isLessThanOrEqualTo(1);
            E2fsprogs.assertClean(image, when);
        } else {
            Tool.run("e2fsck", "-fy", image);
        }
        try (TestMount after = new TestMount(image)) {
            int durable = after.lookup(ROOT, "durable");
            assertThat(Arrays.equals(after.read(durable, 0, BYTES.length), BYTES))
                    .as(when)
                    .isTrue();
            if (!when.startsWith("aborted")) {
                assertThat(after.read(after.lookup(ROOT, "after"), 0, BYTES.length))
                        .isEqualTo(BYTES);
                after.lookup(ROOT, "new");
            }
        }
    }
}
