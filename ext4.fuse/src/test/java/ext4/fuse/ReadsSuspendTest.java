// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.MountPoint;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection that is served through reads: its descriptors, and what a server that died had read. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadsSuspendTest {
    private final MemoryFileSystem fs = new MemoryFileSystem();
    private final FuseTransport transport = new FuseTransport();

    @TempDir
    Path dir;

    @TempDir
    Path scratch;

    private MountPoint where;
    private TransportSession session;

    @BeforeEach
    void mount() {
        Shell.assumeFuse();
        where = new MountPoint("memory", dir.toString(), false, true);
        session = transport.mount(where, fs);
    }

    @AfterEach
    void unmount() {
        if (session != null) {
            session.close();
        }
    }

    private static TransportState with(TransportState state, List<Integer> descriptors, boolean resend) {
        return new TransportState(state.transport(), descriptors, state.numbers(), state.words(), resend);
    }

    @Test
    void theFirstDescriptorIsEnough() throws Exception {
        TransportState state = session.suspend();
        assertThat(state.descriptors()).hasSizeGreaterThan(16);
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            state.descriptors().stream().skip(1).forEach(calls::close);
        }
        session = transport.resume(where, fs, with(state, state.descriptors().subList(0, 1), false));
        assertThat(Shell.run(dir, "touch $M/f; ls $M")).isEqualTo("f");
        assertThat(session.state().descriptors()).hasSameSizeAs(state.descriptors());
    }

    @Test
    void whatADeadServerHadReadIsAskedForAgain() throws Exception {
        TransportState state = session.suspend();
        Process making = Shell.start(dir, "mkdir $M/d; echo done", scratch.resolve("errors"));
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            int reader = state.descriptors().get(3);
            var request = arena.allocate((1 << 20) + 4096);
            while (calls.read(reader, request, request.byteSize()) <= 0) { // and nobody answers it
                Thread.onSpinWait();
            }
        }
        session = transport.resume(where, fs, with(state, state.descriptors(), false));
        assertThat(making.waitFor(300, TimeUnit.MILLISECONDS))
                .as("without asking it waits for ever")
                .isFalse();
        session = transport.resume(where, fs, with(session.suspend(), state.descriptors(), true));
        assertThat(making.inputReader().readLine()).isEqualTo("done");
        assertThat(making.waitFor()).isZero();
        assertThat(Shell.run(dir, "ls $M")).isEqualTo("d");
    }

    @Test
    void aKernelThatCantBeAskedAgainIsRefused() {
        TransportState state = session.suspend();
        Map<String, Long> numbers = new HashMap<>(state.numbers());
        numbers.computeIfPresent("init.flags", (name, flags) -> flags & ~(1L << 39));
        TransportState old = new TransportState(state.transport(), state.descriptors(), numbers, state.words(), true);
        assertThatThrownBy(() -> transport.resume(where, fs, old))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Linux 6.9");
        session = transport.resume(where, fs, state);
    }

    @Test
    void theKeeperHearsOfEveryDescriptor() throws Exception {
        int waiting = 30; // more than there are readers
        List<TransportState> kept = new ArrayList<>();
        session.whenStateChanges(kept::add);
        kept.add(session.state());
        CountDownLatch together = new CountDownLatch(waiting);
        CountDownLatch released = new CountDownLatch(1);
        fs.onFsync = () -> {
            together.countDown();
            await(released);
        };
        Process syncs = Shell.start(
                dir,
                "for i in $(seq " + waiting + "); do (touch $M/$i; sync $M/$i) & done; wait; echo done",
                scratch.resolve("errors"));
        await(together);
        released.countDown();
        assertThat(syncs.inputReader().readLine()).isEqualTo("done");
        TransportState state = session.suspend();
        assertThat(state.descriptors().size()).isGreaterThanOrEqualTo(waiting);
        assertThat(kept.getLast().descriptors()).containsExactlyInAnyOrderElementsOf(state.descriptors());
        assertThat(kept.getLast().words()).isEqualTo(state.words());
        session = transport.resume(where, fs, state);
        assertThat(session.state().descriptors()).as("none is lost").hasSameSizeAs(state.descriptors());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).as("all wait at once").isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aMountOfFusermountGoesOn() throws Exception {
        Shell.assumeInstalled("fusermount3");
        session.close();
        try (Arena arena = Arena.ofConfined()) {
            Attachment attachment =
                    FusermountMount.attach(new SystemCalls(arena), FusermountMount.installed(), where, dir.toString());
            session = Door.serve(attachment, fs, false);
        }
        Path errors = scratch.resolve("errors");
        Process load = MountLoad.start(dir, errors);
        for (int i = 0; i < 20; i++) {
            TransportState state = session.suspend();
            assertThat(state.words()).containsEntry("mount.way", "fusermount3");
            session = transport.resume(where, fs, state);
        }
        MountLoad.end(load, errors);
        assertThat(Shell.run(dir, "rm -r $M/load*; ls $M")).isEmpty();
        session.close();
        assertThat(Shell.run(dir, "! grep \" $M \" /proc/self/mounts")).isEmpty();
        session = null;
    }

    @Test
    void aReadOnlyMountStaysOne() throws Exception {
        session.remount(true);
        session = transport.resume(where, fs, session.suspend());
        assertThat(Shell.run(dir, "(touch $M/f) 2>&1 || true")).contains("Read-only file system");
        session.remount(false);
        assertThat(Shell.run(dir, "touch $M/f; ls $M")).isEqualTo("f");
    }

    @Test
    void aRingIsNotForReads() {
        TransportState state = session.suspend();
        assertThatThrownBy(() -> transport.resume(
                        where,
                        fs,
                        new TransportState(
                                FuseRingTransport.TITLE, state.descriptors(), state.numbers(), state.words(), false)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("fuse-uring");
        session = transport.resume(where, fs, state);
    }
}
