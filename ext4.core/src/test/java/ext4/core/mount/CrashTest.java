// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountOptions;
import ext4.device.FileBlockDeviceProvider;
import ext4.format.superblock.Superblock;
import ext4.testkit.device.CrashImage;
import ext4.testkit.device.DeviceEvent;
import ext4.testkit.device.RecordingDevice;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Power is lost after any of the writes of a workload, with the unflushed ones whole, missing or torn: the next mount
 * succeeds, finds what fsync promised, and leaves an image that e2fsck has nothing to say about.
 */
class CrashTest {
    private static final int STEPS = 60;
    private static final int STATES = 40;

    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir
    Path folder;

    /** A file that is always either absent, or has one of its contents; what it must be depends on the position. */
    private static final class History {
        final String name;
        /** Contents in order, null for absent, each with the event from which it or a later one must be found. */
        final List<byte[]> contents = new ArrayList<>();

        final List<Integer> promised = new ArrayList<>();

        History(String name) {
            this.name = name;
            add(null, 0);
        }

        void add(byte[] content, int promise) {
            contents.add(content);
            promised.add(promise);
        }
    }

    private final List<History> files = new ArrayList<>();
    private int blockSize;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest(name = "{0}, mke2fs {1}")
    @CsvSource({
        "sharded, -b 1024 -O orphan_file",
        "global, -b 4096 -O ^orphan_file",
        "sharded, '-b 1024 -O ^metadata_csum,^orphan_file'",
    })
    void whatWasPromisedIsThere(String strategy, String options) throws Exception {
        System.out.println("seed " + seed);
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 24L << 20, (options + " -N 800").split(" "));
        RecordingDevice device = new RecordingDevice(new FileBlockDeviceProvider().open(image.toString(), false));
        Path base = folder.resolve("base");
        List<DeviceEvent> events;
        try (TestMount mount = new TestMount(device, strategy, MountOptions.DEFAULTS)) {
            blockSize = mount.fs.statfs().blockSize();
            Files.copy(image, base);
            device.start();
            for (int step = 0; step < STEPS; step++) {
                step(mount, device);
            }
            mount.fs.syncfs();
            events = device.events();
        }
        E2fsprogs.assertClean(image, "unmounted, seed " + seed);
        checkStates(base, events, strategy);
    }

    private void step(TestMount mount, RecordingDevice device) {
        boolean fresh = files.isEmpty() || random.nextInt(3) == 0;
        History file = fresh ? new History("f" + files.size()) : files.get(random.nextInt(files.size()));
        byte[] now = file.contents.getLast();
        if (fresh) {
            files.add(file);
        }
        if (now == null) {
            byte[] content = new byte[1 + random.nextInt(60_000)];
            random.nextBytes(content);
            int ino = mount.create(TestMount.ROOT, file.name);
            mount.write(ino, 0, content);
            promise(mount, device, file, new byte[0], content, ino);
            mount.fs.forget(ino, 1);
        } else if (random.nextBoolean()) {
            int ino = mount.lookup(TestMount.ROOT, file.name);
            boolean pinned = random.nextBoolean();
            if (!pinned) {
                mount.fs.forget(ino, 1);
            }
            mount.unlink(TestMount.ROOT, file.name);
            promise(mount, device, file, now, null, 0);
        } else {
            int ino = mount.lookup(TestMount.ROOT, file.name);
            byte[] cut = Arrays.copyOf(now, now.length / 2048 * 1024);
            mount.truncate(ino, cut.length);
            promise(mount, device, file, now, cut, ino);
            mount.fs.forget(ino, 1);
        }
    }

    /** Makes the change durable; {@code between} is what the file may be before it is. */
    private void promise(
            TestMount mount, RecordingDevice device, History file, byte[] between, byte[] content, int ino) {
        if (ino != 0 && random.nextBoolean()) {
            mount.fs.fsync(ino, random.nextBoolean());
        } else {
            mount.fs.syncfs();
        }
        file.add(between, device.position());
        file.add(content, device.position());
    }

    private void checkStates(Path base, List<DeviceEvent> events, String strategy) throws Exception {
        Path state = folder.resolve("state");
        int[] points = random.ints(STATES, 0, events.size() + 1).sorted().toArray();
        try (CrashImage crash = new CrashImage(Files.copy(base, folder.resolve("moving")), events)) {
            for (int point : points) {
                crash.advanceTo(point);
                crash.copyTo(state);
                check(state, point, strategy, "all writes up to " + point);
            }
        }
        try (CrashImage crash = new CrashImage(Files.copy(base, folder.resolve("flushed")), events)) {
            for (int point : points) {
                int flush = lastFlush(events, point);
                crash.advanceTo(flush);
                if (events.subList(flush, point).stream().noneMatch(CrashTest::touchesSuperblock)) {
                    CrashImage.copyTorn(folder.resolve("flushed"), events, flush, point, random, state);
                    check(state, flush, strategy, "torn writes from " + flush + " to " + point);
                }
            }
        }
    }

    private static int lastFlush(List<DeviceEvent> events, int point) {
        int at = point;
        while (at > 0 && !(events.get(at - 1) instanceof DeviceEvent.Flush)) {
            at--;
        }
        return at;
    }

    /** A torn superblock is what its copies are for; no mount survives it. */
    private static boolean touchesSuperblock(DeviceEvent event) {
        return event instanceof DeviceEvent.Write write && write.offset() < Superblock.BYTE_OFFSET + Superblock.SIZE;
    }

    private void check(Path state, int position, String strategy, String what) {
        String context = what + ", seed " + seed;
        try (TestMount mount = new TestMount(state, strategy, MountOptions.DEFAULTS)) {
            for (History file : files) {
                check(mount, file, position, context);
            }
        } catch (RuntimeException e) {
            throw new AssertionError(context, e);
        }
        E2fsprogs.assertClean(state, context);
    }

    private void check(TestMount mount, History file, int position, String context) {
        byte[] found = contentOf(mount, file.name);
        int newest = 0;
        for (int i = 0; i < file.contents.size(); i++) {
            if (file.promised.get(i) <= position) {
                newest = i;
            }
        }
        boolean matches = false;
        // Torn states keep some writes that came after the position, so later contents are possible too.
        for (int i = newest; i < file.contents.size() && !matches; i++) {
            matches = Arrays.equals(found, file.contents.get(i))
                    || i + 1 < file.contents.size()
                            && isBeingCut(found, file.contents.get(i), file.contents.get(i + 1));
        }
        assertThat(matches)
                .as("%s has %s bytes; %s", file.name, found == null ? "no" : found.length, context)
                .isTrue();
    }

    /**
     * As with the kernel, the rest of the block that a truncate cuts is zeroed before the new size is committed: until
     * then the old size may be found with any part of that rest zeroed.
     */
    private boolean isBeingCut(byte[] found, byte[] old, byte[] cut) {
        if (found == null || old == null || cut == null || found.length != old.length || cut.length > old.length) {
            return false;
        }
        int blockEnd = (cut.length + blockSize - 1) / blockSize * blockSize;
        for (int i = 0; i < old.length; i++) {
            boolean zeroed = i >= cut.length && i < blockEnd && found[i] == 0;
            if (found[i] != old[i] && !zeroed) {
                return false;
            }
        }
        return true;
    }

    private static byte[] contentOf(TestMount mount, String name) {
        try {
            int ino = mount.lookup(TestMount.ROOT, name);
            return mount.read(ino, 0, 1 << 20);
        } catch (ErrnoException e) {
            assertThat(e.errno()).isEqualTo(Errno.ENOENT);
            return null;
        }
    }
}
