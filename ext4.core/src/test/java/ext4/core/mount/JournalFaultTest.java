// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountOptions;
import ext4.api.journal.JournalProvider;
import ext4.device.FileBlockDeviceProvider;
import ext4.journal.Jbd2Provider;
import ext4.testkit.device.FailingDevice;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each operation of the device during a replacement of the journal fails in turn, once or for good: either the journal at
 * work goes on, or it aborted and that is reported. What was synced is there in either case.
 */
class JournalFaultTest {
    private static final byte[] SYNCED = filled(3000, 1);
    private static final byte[] AFTER = filled(2000, 2);

    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @ParameterizedTest(name = "only once: {0}")
    @ValueSource(booleans = {true, false})
    void nothingThatWasPromisedIsLost(boolean once) throws IOException {
        Path base = folder.resolve("base");
        E2fsprogs.mke2fs(base, 8L << 20, "-b", "1024", "-J", "size=1", "-O", "orphan_file");
        Path image = folder.resolve("image");
        int aborts = 0;
        int survived = 0;
        int at = 0;
        for (Outcome outcome = null; outcome != Outcome.REPLACED; at++) {
            Files.copy(base, image, StandardCopyOption.REPLACE_EXISTING);
            String when = "operation " + at + " fails";
            outcome = attempt(image, at, once, when);
            aborts += outcome == Outcome.ABORTED ? 1 : 0;
            survived += outcome == Outcome.WENT_ON ? 1 : 0;
            judge(image, outcome, when);
        }
        System.out.printf(
                "%d operations of the device; failing %s: %d aborts, %d times the old journal went on%n",
                at - 1, once ? "once" : "for good", aborts, survived);
        assertThat(aborts).isGreaterThan(10);
        if (once) {
            assertThat(survived)
                    .as("a new journal that can't read its superblock")
                    .isPositive();
        }
    }

    private enum Outcome {
        REPLACED,
        WENT_ON,
        ABORTED
    }

    private static Outcome attempt(Path image, int at, boolean once, String when) {
        FailingDevice device = new FailingDevice(new FileBlockDeviceProvider().open(image.toString(), false));
        try (TestMount mount = new TestMount(device, at % 2 == 0 ? "sharded" : "global", MountOptions.DEFAULTS)) {
            int synced = prepare(mount);
            JournalProvider provider = new Jbd2Provider();
            long before = device.operations();
            device.failIn(at, once);
            boolean failed = false;
            try {
                mount.fs.swapJournal(provider, provider);
            } catch (RuntimeException e) {
                failed = true;
            }
            long operations = device.operations() - before;
            device.heal();
            assertThat(failed).as(when).isEqualTo(at < operations);
            assertThat(mount.read(synced, 0, 5000)).as(when).isEqualTo(SYNCED);
            if (mount.fs.readOnly()) {
                assertThat(mount.fs.status().get("journal")).as(when).startsWith("aborted: ");
                assertThatThrownBy(() -> mount.create(TestMount.ROOT, "no"))
                        .as(when)
                        .isEqualTo(ErrnoException.of(Errno.EROFS));
                return Outcome.ABORTED;
            }
            int after = mount.create(TestMount.ROOT, "after");
            mount.write(after, 0, AFTER);
            mount.fs.fsync(after, false);
            mount.fs.swapJournal(provider, provider);
            return failed ? Outcome.WENT_ON : Outcome.REPLACED;
        }
    }

    /** Synced files, one removed again, and much that is not durable yet. */
    private static int prepare(TestMount mount) {
        int synced = mount.create(TestMount.ROOT, "synced");
        mount.write(synced, 0, SYNCED);
        mount.fs.forget(mount.create(TestMount.ROOT, "gone"), 1);
        mount.fs.syncfs();
        mount.unlink(TestMount.ROOT, "gone");
        mount.fs.syncfs();
        int open = mount.create(TestMount.ROOT, "open");
        mount.write(open, 0, filled(10_000, 3));
        mount.unlink(TestMount.ROOT, "open");
        int cut = mount.create(TestMount.ROOT, "cut");
        mount.write(cut, 0, filled(50_000, 4));
        mount.truncate(cut, 100);
        for (int i = 0; i < 20; i++) {
            mount.fs.forget(mount.create(TestMount.ROOT, "loose" + i), 1);
        }
        return synced;
    }

    private void judge(Path image, Outcome outcome, String when) throws IOException {
        Path here = folder.resolve("here");
        Files.copy(image, here, StandardCopyOption.REPLACE_EXISTING);
        if (outcome == Outcome.ABORTED) {
            E2fsprogs.recover(image);
        }
        E2fsprogs.assertClean(image, when);
        check(image, outcome, when + ", recovered by e2fsck");
        check(here, outcome, when + ", recovered here");
    }

    private static void check(Path image, Outcome outcome, String when) {
        try (TestMount mount = new TestMount(image)) {
            assertThat(mount.read(mount.lookup(TestMount.ROOT, "synced"), 0, 5000))
                    .as(when)
                    .isEqualTo(SYNCED);
            assertThatThrownBy(() -> mount.lookup(TestMount.ROOT, "gone"))
                    .as(when)
                    .isEqualTo(ErrnoException.of(Errno.ENOENT));
            if (outcome != Outcome.ABORTED) {
                assertThat(mount.read(mount.lookup(TestMount.ROOT, "after"), 0, 5000))
                        .as(when)
                        .isEqualTo(AFTER);
            }
        }
    }
}
