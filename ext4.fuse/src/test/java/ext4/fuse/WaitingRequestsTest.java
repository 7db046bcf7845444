// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.Interruptible;
import ext4.api.fs.MountPoint;
import ext4.api.fs.RequestThread;
import ext4.api.fs.TransportSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that wait for a part of the filesystem hold up nobody else, and can be interrupted. */
@ParameterizedClass
@EnumSource(Way.class)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitingRequestsTest {
    private static final int MANY = 60; // more than there are readers, spare ones included

    @Parameter
    Way way;

    @TempDir
    Path dir;

    @TempDir
    Path scratch;

    private final Gate gate = new Gate();
    private TransportSession session;
    private MountPoint where;
    private FileSystem gated;

    /** Holds every rmdir until it is opened, as the gate of a mount does while its orphan strategy is missing. */
    private static final class Gate {
        /** Whether the request of each waiting thread was interrupted. Guarded by this. */
        private final Map<Thread, Boolean> waiting = new HashMap<>();
        /** Guarded by this. */
        private boolean open;

        synchronized int waiting() {
            return waiting.size();
        }

        synchronized void open() {
            open = true;
            notifyAll();
        }

        synchronized boolean interrupt(Thread thread) {
            notifyAll();
            return waiting.replace(thread, true) != null;
        }

        void pass() throws InterruptedException {
            Thread thread = Thread.currentThread();
            synchronized (this) {
                waiting.put(thread, false);
            }
            ((RequestThread) thread).waiting();
            try {
                await(thread);
            } finally {
                ((RequestThread) thread).resumed();
            }
        }

        private synchronized void await(Thread thread) throws InterruptedException {
            while (!open && !waiting.get(thread)) {
                wait();
            }
            if (waiting.remove(thread)) {
                throw ErrnoException.of(Errno.EINTR);
            }
        }
    }

    @BeforeEach
    void mount() {
        way.assumeUsable();
        MemoryFileSystem memory = new MemoryFileSystem();
        gated = (FileSystem) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FileSystem.class, Interruptible.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("interrupt")) {
                        return gate.interrupt((Thread) arguments[0]);
                    }
                    if (method.getName().equals("rmdir")) {
                        gate.pass();
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        where = new MountPoint("memory", dir.toString(), false, true);
        session = way.transport().mount(where, gated);
    }

    @AfterEach
    void unmount() {
        if (session != null) {
            gate.open();
            session.close();
        }
    }

    @Test
    void othersAreServedHoweverManyWait() throws Exception {
        Shell.run(dir, "for i in $(seq " + MANY + "); do mkdir $M/p$i $M/p$i/d; done");
        Process removing = Shell.start(
                dir, "for i in $(seq " + MANY + "); do rmdir $M/p$i/d & done; wait", scratch.resolve("errors"));
        awaitWaiting(MANY);
        assertThat(Shell.run(dir, "echo hello >$M/f; cat $M/f; ls $M | wc -l")).isEqualTo("hello\n" + (MANY + 1));
        gate.open();
        assertThat(removing.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Shell.run(dir, "find $M -name d | wc -l")).isEqualTo("0");
    }

    @Test
    void aSignalEndsTheWait() throws Exception {
        Shell.run(dir, "mkdir $M/d");
        Process removing = Shell.start(dir, "exec rmdir $M/d", scratch.resolve("errors"));
        awaitWaiting(1);
        removing.destroy();
        assertThat(removing.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(gate.waiting()).isZero();
        assertThat(Shell.run(dir, "ls $M")).isEqualTo("d");
    }

    @Test
    void aSignalEndsTheWaitWhateverBecameOfTheTransport() throws Exception {
        Shell.run(dir, "mkdir $M/d");
        Process removing = Shell.start(dir, "exec rmdir $M/d", scratch.resolve("errors"));
        awaitWaiting(1);
        assertThatThrownBy(session::suspend).hasMessageContaining("a request takes longer");
        removing.destroy();
        assertThat(removing.waitFor(60, TimeUnit.SECONDS)).isTrue();
        session = way.transport().resume(where, gated, session.suspend());
        Process again = Shell.start(dir, "exec rmdir $M/d", scratch.resolve("errors"));
        awaitWaiting(1);
        again.destroy();
        assertThat(again.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Shell.run(dir, "ls $M")).isEqualTo("d");
    }

    @Test
    void whatWaitsIsAnsweredWhenTheMountPointIsTakenAway() throws Exception {
        Shell.run(dir, "mkdir $M/d");
        Process removing = Shell.start(dir, "exec rmdir $M/d", scratch.resolve("errors"));
        awaitWaiting(1);
        Thread detaching = Thread.ofPlatform().start(session::detach);
        while (Files.readString(Path.of("/proc/self/mounts")).contains(" " + dir + " ")) {
            Thread.onSpinWait();
        }
        assertThat(session.ended()).isNotDone();
        gate.open();
        detaching.join();
        assertThat(session.ended()).isDone();
        assertThat(removing.waitFor())
                .as(Files.readString(scratch.resolve("errors")))
                .isZero();
    }

    @Test
    void aBusyMountPointCanBeDetached() throws Exception {
        Process user = Shell.start(dir, "cd $M; echo x >f; exec sleep 60 <f", scratch.resolve("errors"));
        while (!dir.resolve("f").toFile().exists()) {
            Thread.onSpinWait();
        }
        session.detach();
        assertThat(session.ended()).isDone();
        assertThat(Shell.run(dir, "ls $M")).isEmpty();
        user.destroyForcibly().waitFor();
    }

    private void awaitWaiting(int count) {
        while (gate.waiting() != count) {
            Thread.onSpinWait();
        }
    }
}
