// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.HandOver;
import ext4.api.fs.MountOptions;
import ext4.api.fs.MountOptions.Atime;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.device.FileBlockDeviceProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.NoLogProvider;
import ext4.testkit.device.FailingDevice;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The journal is replaced, refused, put out of use and taken up again; what happens then to what was under way. */
class JournalSuccessionTest {
    private static final String JOURNALLED = "-b 1024 -J size=4 -O orphan_file";
    private static final String WITHOUT = "-b 1024 -O ^has_journal,^orphan_file";

    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    private Path image(String options) {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, options.split(" "));
        return image;
    }

    private static JournalProvider provider(CoreFileSystem fs) {
        return fs.status().get("journal").startsWith("none, ") ? new NoLogProvider() : new Jbd2Provider();
    }

    private static HandOver swap(TestMount mount) {
        JournalProvider kind = provider(mount.fs);
        return mount.fs.swapJournal(kind, kind);
    }

    @ParameterizedTest
    @ValueSource(strings = {JOURNALLED, WITHOUT})
    void whatWasDoneBeforeAndAfterIsThere(String options) {
        Path image = image(options);
        try (TestMount mount = new TestMount(image)) {
            int kept = mount.create(TestMount.ROOT, "kept");
            mount.write(kept, 0, new byte[5000]);
            int open = mount.create(TestMount.ROOT, "open");
            mount.write(open, 0, "still there".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            mount.unlink(TestMount.ROOT, "open");
            int cut = mount.create(TestMount.ROOT, "cut");
            mount.write(cut, 0, new byte[300_000]);
            mount.truncate(cut, 10);
            HandOver report = swap(mount);
            assertThat(report.orphans()).isEqualTo(1);
            assertThat(report.pauseMicros()).isPositive();
            assertThat(mount.fs.status())
                    .as("blocks freed before are settled by the last commit")
                    .containsEntry("blocks freed, not durable", "0");
            assertThat(mount.read(open, 0, 100)).asString().isEqualTo("still there");
            mount.fs.fsync(kept, false); // its number is of the old one
            mount.write(kept, 5000, new byte[5000]);
            mount.fs.fsync(kept, true);
            for (int i = 0; i < 3; i++) {
                swap(mount);
                mount.fs.fsync(kept, false);
                mount.fs.syncfs();
            }
            mount.fs.forget(open, 1);
            mount.fs.awaitEvictions();
            assertThat(mount.fs.orphans()).isEmpty();
            assertThat(mount.stat(kept).size).isEqualTo(10_000);
        }
        E2fsprogs.assertClean(image, options);
    }

    @Test
    void theOtherKindIsRefused() {
        try (TestMount mount = new TestMount(image(JOURNALLED))) {
            assertThatThrownBy(() -> mount.fs.swapJournal(new Jbd2Provider(), new NoLogProvider()))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("never switched between journal and no journal");
            mount.create(TestMount.ROOT, "goes on");
        }
    }

    @Test
    void aFilesystemThatNeverWroteHasNothingToReplace() {
        try (TestMount mount = new TestMount(image(JOURNALLED), "sharded", MountOptions.DEFAULTS.withReadOnly(true))) {
            assertThat(mount.fs.swapJournal(new Jbd2Provider(), new Jbd2Provider()))
                    .isEqualTo(new HandOver(0, 0, 0));
            assertThat(mount.fs.detachJournal()).isEqualTo(new HandOver(0, 0, 0));
        }
    }

    /** How a provider can fail to open. */
    enum Refusal {
        THROWS((host, options) -> {
            throw new IllegalStateException("planned");
        }),
        OUT_OF_MEMORY((host, options) -> {
            throw new OutOfMemoryError("planned");
        }),
        NOTHING((host, options) -> null),
        /** Its transactions have numbers that were used already. */
        COUNTS_ANEW((host, options) -> new Jbd2Provider().open(new ForgetfulHost(host), options)),
        /** It says that it journals, but its journals do not. */
        OTHER_KIND((host, options) -> new NoLogProvider().open(host, options));

        private final BiFunction<JournalHost, JournalOptions, Journal> open;

        Refusal(BiFunction<JournalHost, JournalOptions, Journal> open) {
            this.open = open;
        }
    }

    private record Failing(Refusal refusal) implements JournalProvider {
        @Override
        public boolean journals() {
            return true;
        }

        @Override
        public JournalRecovery recover(JournalHost host) {
            throw new AssertionError("nothing is to be recovered");
        }

        @Override
        public Journal open(JournalHost host, JournalOptions options) {
            return refusal.open.apply(host, options);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theOldOneGoesOnIfTheNewOneCannot(Refusal refusal) {
        Path image = image(JOURNALLED);
        try (TestMount mount = new TestMount(image)) {
            int file = mount.create(TestMount.ROOT, "file");
            for (int i = 0; i < 3; i++) {
                mount.fs.syncfs(); // transactions without anything in them use up numbers, but none of the log's
            }
            assertThatThrownBy(() -> mount.fs.swapJournal(new Jbd2Provider(), new Failing(refusal)))
                    .satisfiesAnyOf(
                            e -> assertThat(e).isInstanceOf(IllegalStateException.class),
                            e -> assertThat(e).isInstanceOf(OutOfMemoryError.class));
            assertThat(mount.fs.readOnly()).isFalse();
            mount.write(file, 0, new byte[100]);
            mount.fs.fsync(file, false);
            assertThat(mount.fs.status()).containsEntry("journal", "running");
            mount.fs.swapJournal(new Jbd2Provider(), new Jbd2Provider());
            assertThat(mount.stat(file).size).isEqualTo(100);
        }
        E2fsprogs.assertClean(image, refusal.name());
        assertThat(Thread.getAllStackTraces().keySet())
                .as("threads of journals that were refused")
                .noneMatch(thread -> thread.getName().startsWith("ext4-journal") && thread.isAlive());
    }

    @Test
    void ifTheOldOneCannotComeBackChangesAreRefused() {
        Path image = image(JOURNALLED);
        try (TestMount mount = new TestMount(image)) {
            int file = mount.create(TestMount.ROOT, "file");
            assertThatThrownBy(() -> mount.fs.swapJournal(new Failing(Refusal.NOTHING), new Failing(Refusal.THROWS)))
                    .hasMessage("planned")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
            assertThat(mount.fs.readOnly()).isTrue();
            assertThatThrownBy(() -> mount.write(file, 0, new byte[1])).isEqualTo(ErrnoException.of(Errno.EROFS));
            assertThat(mount.stat(file).size).isZero();
            assertThatThrownBy(() -> mount.fs.swapJournal(new Jbd2Provider(), new Jbd2Provider()))
                    .isInstanceOf(DeviceException.class);
        }
        E2fsprogs.recover(image);
        E2fsprogs.assertClean(image, "recovered");
    }

    @ParameterizedTest
    @ValueSource(strings = {JOURNALLED, WITHOUT})
    void withoutAJournalReadsGoOnAndChangesDoNot(String options) throws Exception {
        Path image = image(options);
        MountOptions strict = new MountOptions(false, false, false, Atime.STRICT, 0, true, null, false);
        try (TestMount mount = new TestMount(image, "sharded", strict)) {
            JournalProvider kind = provider(mount.fs);
            int file = mount.create(TestMount.ROOT, "file");
            mount.write(file, 0, new byte[1000]);
            int open = mount.create(TestMount.ROOT, "open");
            mount.write(open, 0, new byte[100_000]);
            mount.unlink(TestMount.ROOT, "open");
            long read = mount.stat(file).atime;
            mount.fs.detachJournal();
            assertThat(mount.fs.detachJournal().pauseMicros()).as("again").isZero();
            assertThat(mount.fs.status()).containsEntry("journal", "none at work");
            assertThat(mount.read(file, 0, 1000)).hasSize(1000);
            assertThat(mount.stat(file).atime).isEqualTo(read);
            mount.fs.fsync(file, false);
            mount.fs.syncfs();
            assertThatThrownBy(() -> mount.create(TestMount.ROOT, "no")).isEqualTo(ErrnoException.of(Errno.EIO));
            assertThatThrownBy(() -> mount.unlink(TestMount.ROOT, "file")).isEqualTo(ErrnoException.of(Errno.EIO));
            mount.fs.forget(open, 1); // freed when there is a journal again
            CompletableFuture.runAsync(mount.fs::awaitEvictions).get(60, TimeUnit.SECONDS);
            assertThat(mount.fs.orphans()).hasSize(1);
            mount.fs.swapOrphanStrategy("global", TestMount.strategy("global"));
            assertThat(mount.fs.orphans()).hasSize(1);
            mount.fs.swapJournal(null, kind);
            mount.fs.awaitEvictions();
            assertThat(mount.fs.orphans()).isEmpty();
            mount.unlink(TestMount.ROOT, "file");
            mount.fs.forget(file, 1);
            mount.create(TestMount.ROOT, "yes");
        }
        E2fsprogs.assertClean(image, options);
    }

    @ParameterizedTest
    @ValueSource(strings = {JOURNALLED, "-b 1024 -O ^orphan_file", WITHOUT})
    void anUnmountWithoutAJournalLeavesOnlyOrphans(String options) {
        Path image = image(options);
        try (TestMount mount = new TestMount(image)) {
            int open = mount.create(TestMount.ROOT, "open");
            mount.write(open, 0, new byte[100_000]);
            mount.unlink(TestMount.ROOT, "open");
            int queued = mount.create(TestMount.ROOT, "queued");
            mount.unlink(TestMount.ROOT, "queued");
            int file = mount.create(TestMount.ROOT, "file");
            mount.write(file, 0, new byte[1000]);
            mount.fs.detachJournal();
            mount.fs.forget(queued, 1);
        }
        if (!options.contains("^has_journal")) {
            // Without a journal nothing on disk tells of orphans: that is fsck's, as after a crash.
            try (TestMount mount = new TestMount(image)) {
                assertThat(mount.fs.orphans()).isEmpty();
                assertThat(mount.stat(mount.lookup(TestMount.ROOT, "file")).size)
                        .isEqualTo(1000);
            }
            E2fsprogs.assertClean(image, options);
        } else {
            assertThat(E2fsprogs.debugfs(image, false, "show_super_stats -h"))
                    .containsPattern("Filesystem state: +not clean");
            E2fsprogs.recover(image);
            E2fsprogs.assertClean(image, options);
        }
    }

    @Test
    void anAbortedJournalIsPutOutOfUseButNotReplaced() {
        Path image = image(JOURNALLED);
        FailingDevice device = new FailingDevice(new FileBlockDeviceProvider().open(image.toString(), false));
        try (TestMount mount = new TestMount(device, "sharded", MountOptions.DEFAULTS)) {
            int file = mount.create(TestMount.ROOT, "file");
            mount.fs.syncfs();
            mount.write(file, 0, new byte[10]);
            device.failIn(0, false);
            assertThatThrownBy(() -> mount.fs.swapJournal(new Jbd2Provider(), new Jbd2Provider()))
                    .isInstanceOf(DeviceException.class);
            device.heal();
            assertThat(mount.fs.readOnly()).isTrue();
            assertThatThrownBy(() -> mount.fs.swapJournal(new Jbd2Provider(), new Jbd2Provider()))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("aborted");
            mount.fs.detachJournal();
            assertThat(mount.fs.status().get("journal")).startsWith("aborted");
            assertThatThrownBy(() -> mount.fs.swapJournal(null, new Jbd2Provider()))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("aborted");
            assertThat(mount.stat(file).ino).isEqualTo(file);
        }
        E2fsprogs.recover(image);
        E2fsprogs.assertClean(image, "recovered");
        try (TestMount mount = new TestMount(image)) {
            assertThat(mount.lookup(TestMount.ROOT, "file")).isPositive();
        }
    }
}
