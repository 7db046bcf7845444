// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.FileSystem;
import ext4.api.fs.MountPoint;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.sys.SystemCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transport gives a mount point that is in use to another one, and nobody who uses it notices. */
@ParameterizedClass
@EnumSource(Way.class)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SuspendTest {
    private static final Logger LOG = LoggerFactory.getLogger(SuspendTest.class);
    private static final int TIMES = 100;

    private final MemoryFileSystem fs = new MemoryFileSystem();

    @Parameter
    Way way;

    @TempDir
    Path dir;

    @TempDir
    Path scratch;

    private MountPoint where;
    private TransportSession session;

    @BeforeEach
    void mount() {
        way.assumeUsable();
        where = new MountPoint("memory", dir.toString(), false, true);
        session = way.transport().mount(where, fs);
    }

    @AfterEach
    void unmount() {
        if (session != null) {
            session.close();
            assertThat(session.counters()).as("no surprise on the way").containsEntry("unexpected", 0L);
        }
    }

    private void resume(TransportState state) {
        session = way.transport().resume(where, fs, state);
    }

    private String run(String script) throws Exception {
        return Shell.run(dir, script);
    }

    @Test
    void oftenUnderLoad() throws Exception {
        Path errors = scratch.resolve("errors");
        Process load = MountLoad.start(dir, errors);
        long[] micros = new long[TIMES];
        for (int i = 0; i < TIMES; i++) {
            long seen = session.counters().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            while (session.counters().values().stream()
                            .mapToLong(Long::longValue)
                            .sum()
                    < seen + 100) {
                assertThat(load.isAlive()).as(() -> text(errors)).isTrue();
            }
            long before = System.nanoTime();
            resume(session.suspend());
            micros[i] = (System.nanoTime() - before) / 1000;
        }
        String said = MountLoad.end(load, errors);
        Arrays.sort(micros);
        LOG.info(
                "{}: {} times, nobody served for {} us (median), {} us (p99), {} us (worst); {}",
                way,
                TIMES,
                micros[TIMES / 2],
                micros[TIMES * 99 / 100],
                micros[TIMES - 1],
                said);
        assertThat(session.counters()).containsEntry("unexpected", 0L);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void countersGoOn() throws Exception {
        run("touch $M/a; rm $M/a");
        resume(session.suspend());
        run("touch $M/a; rm $M/a");
        assertThat(session.counters()).containsEntry("requests.unlink", 2L).containsEntry("requests.create", 1L);
    }

    @Test
    void filesStayOpen() throws Exception {
        Path errors = scratch.resolve("errors");
        Process user = Shell.start(
                dir, "echo one >$M/f; exec 3<>$M/f; rm $M/f; echo in; read line; cat <&3; cd $M; ls -A", errors);
        assertThat(user.inputReader().readLine()).isEqualTo("in");
        resume(session.suspend());
        try (var out = user.outputWriter()) {
            out.write("\n");
        }
        assertThat(user.inputReader().readLine()).isEqualTo("one");
        assertThat(user.waitFor()).as(Files.readString(errors)).isZero();
    }

    @Test
    void whatComesMeanwhileWaits() throws Exception {
        TransportState state = session.suspend();
        Process user = Shell.start(dir, "exec mkdir $M/d", scratch.resolve("errors"));
        awaitWaiting(user);
        resume(state);
        assertThat(user.waitFor()).isZero();
        assertThat(run("ls $M")).isEqualTo("d");
    }

    @Test
    void whoWaitsMeanwhileCanBeKilled() throws Exception {
        TransportState state = session.suspend();
        Process user = Shell.start(dir, "exec mkdir $M/d", scratch.resolve("errors"));
        awaitWaiting(user);
        user.destroyForcibly();
        if (way == Way.READS) {
            assertThat(user.waitFor(60, TimeUnit.SECONDS)).isTrue();
            resume(state);
            assertThat(run("ls $M")).isEmpty();
        } else { // what is in a ring counts as being answered
            resume(state);
            assertThat(user.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(run("mkdir $M/e; ls $M")).endsWith("e");
    }

    /** Until a process waits for the answer of a mount point. */
    private static void awaitWaiting(Process process) throws IOException {
        Path channel = Path.of("/proc", Long.toString(process.pid()), "wchan");
        while (!Files.readString(channel).contains("request_wait_answer")) {
            assertThat(process.isAlive()).isTrue();
            Thread.onSpinWait();
        }
    }

    @Test
    void aRequestThatTakesTooLongKeepsTheTransport() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        fs.onFsync = () -> {
            began.countDown();
            await(released);
        };
        Process sync = Shell.start(dir, "touch $M/f; sync $M/f; echo done", scratch.resolve("errors"));
        await(began);
        assertThatThrownBy(session::suspend)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a request takes longer than 2 s");
        for (int i = 0; i < 3; i++) {
            run("for i in 1 2 3 4 5 6 7 8; do (mkdir $M/d$i; touch $M/d$i/f; rm -r $M/d$i) & done; wait");
        }
        assertThat(session.ended()).isNotDone();
        released.countDown();
        assertThat(sync.inputReader().readLine()).isEqualTo("done");
        resume(session.suspend());
        assertThat(run("ls $M; sync $M/f")).isEqualTo("f");
    }

    @Test
    void aRequestThatEndsInTimeIsWaitedFor() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        fs.onFsync = () -> {
            began.countDown();
            await(released);
        };
        Process sync = Shell.start(dir, "touch $M/f; sync $M/f; echo done", scratch.resolve("errors"));
        await(began);
        Thread suspending = Thread.ofPlatform().start(() -> resume(session.suspend()));
        suspending.join(200);
        assertThat(suspending.isAlive()).isTrue();
        released.countDown();
        suspending.join();
        assertThat(sync.inputReader().readLine()).isEqualTo("done");
        assertThat(run("ls $M")).isEqualTo("f");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aResumeThatThrowsLeavesTheConnection() throws Exception {
        FileSystem broken = (FileSystem) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {FileSystem.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("meant to fail");
                });
        TransportState state = session.suspend();
        int descriptors = descriptors();
        assertThatThrownBy(() -> way.transport().resume(where, broken, state)).hasMessage("meant to fail");
        assertThat(descriptors()).isEqualTo(descriptors);
        resume(state);
        assertThat(run("touch $M/f; ls $M")).isEqualTo("f");
    }

    /** How many descriptors of connections this process has. */
    private static int descriptors() throws IOException {
        int count = 0;
        for (String descriptor : Path.of("/proc/self/fd").toFile().list()) {
            try {
                if (Files.readSymbolicLink(Path.of("/proc/self/fd", descriptor)).endsWith("fuse")) {
                    count++;
                }
            } catch (NoSuchFileException e) {
                // that of the listing itself
            }
        }
        return count;
    }

    @Test
    void endsWhereItWasUnmountedMeanwhile() throws Exception {
        TransportState state = session.suspend();
        Process user = Shell.start(dir, "exec mkdir $M/d", scratch.resolve("errors"));
        awaitWaiting(user);
        try (Arena arena = Arena.ofConfined()) {
            assertThat(new SystemCalls(arena).umount(dir.toString(), SystemCalls.MNT_DETACH))
                    .isZero();
        }
        user.destroyForcibly(); // its lookup is the last use
        resume(state);
        user.waitFor();
        session.ended().get(60, TimeUnit.SECONDS);
        session.close();
    }

    @Test
    void umountWaitsAndThenUnmounts() throws Exception {
        TransportState state = session.suspend();
        Process unmounting = Shell.start(dir, "exec umount $M", scratch.resolve("errors"));
        resume(state);
        assertThat(unmounting.waitFor()).isZero();
        session.ended().get(60, TimeUnit.SECONDS);
    }

    @Test
    void aConnectionThatNobodyWantsCanBeDiscarded() throws Exception {
        int before = descriptors();
        TransportState state = session.suspend();
        session = null;
        Process user = Shell.start(dir, "exec mkdir $M/d", scratch.resolve("errors"));
        awaitWaiting(user);
        way.transport().discard(where, state);
        assertThat(user.waitFor()).isNotZero();
        assertThat(run("ls -A $M")).isEmpty();
        assertThat(descriptors()).isLessThan(before);
    }

    @Test
    void aSuspendedSessionIsOfNoUse() {
        TransportSession old = session;
        TransportState state = old.suspend();
        for (Runnable use : new Runnable[] {old::suspend, old::close, old::detach, () -> old.remount(true)}) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("gave its connection away");
        }
        resume(state);
        assertThat(old.ended()).isNotDone();
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        TransportState state = session.suspend();
        TransportState later =
                new TransportState(state.transport(), state.descriptors(), Map.of("format", 99L), state.words(), false);
        assertThatThrownBy(() -> way.transport().resume(where, fs, later))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("the form 99");
        resume(state);
    }

    @Test
    void leavesNoDescriptorAndNoThread() throws Exception {
        resume(session.suspend());
        int before = descriptors();
        for (int i = 0; i < 5; i++) {
            resume(session.suspend());
        }
        assertThat(descriptors()).isEqualTo(before);
        session.close();
        assertThat(descriptors()).isZero();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("ext4-fuse-"));
    }

    @Test
    void nothingOfTheOldOneStays() throws Exception {
        resume(session.suspend());
        WeakReference<ClassLoader> old = throughAnother();
        run("touch $M/f");
        for (int i = 0; i < 50 && old.get() != null; i++) {
            System.gc();
        }
        assertThat(old.get())
                .as("the class loader of the one that was replaced")
                .isNull();
    }

    /** Serves through classes of their own, then through these again; the class loader of the former. */
    private WeakReference<ClassLoader> throughAnother() throws Exception {
        try (Bundle bundle = new Bundle()) {
            Transport transport = bundle.transport(way.transport());
            assertThat(transport.getClass()).isNotSameAs(way.transport().getClass());
            session = transport.resume(where, fs, session.suspend());
            run("for i in 1 2 3; do mkdir $M/$i; done; touch $M/1/f; sync $M/1/f; rm -r $M/?");
            bundle.close(); // as an update does: nothing more can be loaded
            resume(session.suspend());
            return new WeakReference<>(bundle);
        }
    }
}
