// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountPoint;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** A filesystem in memory mounted for real, used by other processes. */
@ParameterizedClass
@EnumSource(Way.class)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MountedTest {
    private final MemoryFileSystem fs = new MemoryFileSystem();

    @Parameter
    Way way;

    @TempDir
    Path dir;

    private TransportSession session;

    @BeforeEach
    void mount() {
        way.assumeUsable();
        session = way.transport().mount(new MountPoint("memory", dir.toString(), false, true), fs);
    }

    @AfterEach
    void unmount() {
        if (session != null) {
            session.close();
            assertThat(session.counters()).as("no surprise on the way").containsEntry("unexpected", 0L);
        }
    }

    private String run(String script) throws IOException, InterruptedException {
        return Shell.run(dir, script);
    }

    @Test
    void showsTypeAndSource() throws Exception {
        assertThat(run("grep \" $M \" /proc/self/mounts"))
                .startsWith("memory " + dir + " fuse.ext4j rw")
                .contains("default_permissions", "allow_other");
    }

    @Test
    void createsWritesReadsRenamesAndRemoves() throws Exception {
        assertThat(run("echo hello >$M/a; echo more >>$M/a; mv $M/a $M/b; cat $M/b; ls $M"))
                .isEqualTo("hello\nmore\nb");
        assertThat(run("umask 027; mkdir $M/d; touch $M/d/f; stat -c %a $M/d $M/d/f; chmod 600 $M/d/f;"
                        + " stat -c %a $M/d/f"))
                .isEqualTo("750\n640\n600");
        assertThat(run("ln $M/b $M/c; ln -s b $M/l; readlink $M/l; stat -c %h $M/b; cat $M/l"))
                .isEqualTo("b\n2\nhello\nmore");
        assertThat(run("mknod $M/n c 300 70000; stat -c %t:%T $M/n; mkfifo $M/p; stat -c %F $M/p"))
                .isEqualTo("12c:11170\nfifo");
        assertThat(run("rm -r $M/d $M/b $M/c $M/l $M/n $M/p; ls -a $M")).isEqualTo(".\n..");
        assertThat(session.counters()).containsKeys("requests.lookup", "requests.unlink", "requests.rename2");
        for (String once : new String[] {"requests.create", "requests.open", "requests.flush"}) {
            assertThat(session.counters()).as("the kernel learns to do without").containsEntry(once, 1L);
        }
        assertThat(session.counters()).doesNotContainKey("requests.release");
    }

    @Test
    void whoMakesAFileMayWriteItWhateverItsMode() throws Exception {
        Shell.assumeInstalled("setpriv");
        assertThat(run("chmod 777 $M; setpriv --reuid 1234 --clear-groups sh -c"
                        + " 'umask 0777; echo text >$M/f; ! cat $M/f 2>/dev/null; ! echo more 2>/dev/null >$M/f';"
                        + " stat -c %a:%u $M/f; cat $M/f; (set -C; ! echo again 2>/dev/null >$M/f)"))
                .isEqualTo("0:1234\ntext");
    }

    @Test
    void numbersAreThoseOfTheFilesystem() throws Exception {
        assertThat(run("stat -c %i $M")).isEqualTo("2");
        assertThat(run("touch $M/a; stat -c %i $M/a; ls -i $M")).isEqualTo("12\n12 a");
        assertThat(run("stat -c %W $M/a")).as("creation time").isEqualTo("1000000000");
    }

    @Test
    void listsManyEntriesOnceEach() throws Exception {
        String names = run("mkdir $M/d; cd $M/d; seq -f 'a-name-that-is-a-little-longer-%.0f' 5000 | xargs touch;"
                + " ls -f | sort -u | wc -l; ls -f | wc -l; ls -l | wc -l; find . -type f -size 0 | wc -l");
        assertThat(names).isEqualTo("5002\n5002\n5001\n5000");
        run("rm -r $M/d");
    }

    @Test
    void anUnlinkedOpenFileLivesUntilTheLastClose() throws Exception {
        assertThat(run("exec 3<>$M/f; echo data >&3; rm $M/f; stat -Lc %h /proc/self/fd/3; cat /proc/self/fd/3"))
                .isEqualTo("0\ndata");
        assertThat(run("echo x >$M/f; exec 3<$M/f; echo y >$M/g; mv $M/g $M/f; cat <&3; cat $M/f; ls -A $M"))
                .isEqualTo("x\ny\nf");
    }

    @Test
    void truncatesThroughOpen() throws Exception {
        assertThat(run("echo long text >$M/f; echo s >$M/f; cat $M/f; : >$M/f; stat -c %s $M/f; truncate -s 9 $M/f;"
                        + " stat -c %s $M/f"))
                .isEqualTo("s\n0\n9");
    }

    @Test
    void clearsSetIdBitsOnChownAndWrite() throws Exception {
        assertThat(run("touch $M/f; chmod 6755 $M/f; chown 5:6 $M/f; stat -c %a:%u:%g $M/f"))
                .isEqualTo("755:5:6");
    }

    @Test
    void takesLargeWritesWhole() throws Exception {
        assertThat(run("head -c 9000000 /dev/urandom >/dev/shm/fuse-test.$$; cp /dev/shm/fuse-test.$$ $M/f;"
                        + " cmp /dev/shm/fuse-test.$$ $M/f && echo same;"
                        + " dd if=/dev/shm/fuse-test.$$ of=$M/g bs=1M count=8 2>/dev/null;"
                        + " cmp -n 8388608 $M/f $M/g && echo same; rm /dev/shm/fuse-test.$$"))
                .isEqualTo("same\nsame");
        assertThat(session.counters().get("requests.write")).isLessThan(100);
    }

    @Test
    void refusesLongNames() throws Exception {
        String name = "n".repeat(300);
        String longest = "n".repeat(255);
        assertThat(run("touch $M/" + longest + "; ls $M | wc -c")).isEqualTo("256");
        for (String command : new String[] {
            "touch $M/%s", "mkdir $M/%s", "ln -s x $M/%s", "stat $M/%s", "mv $M/" + longest + " $M/%s", "mkfifo $M/%s"
        }) {
            assertThat(run("(" + command.formatted(name) + ") 2>&1 || true"))
                    .as(command)
                    .contains("File name too long");
        }
        assertThat(fs.nodes).hasSize(2);
    }

    @Test
    void keepsExtendedAttributes() throws Exception {
        Shell.assumeInstalled("setfattr");
        assertThat(run("touch $M/f; setfattr -n user.k -v value $M/f; getfattr --only-values -n user.k $M/f; echo;"
                        + " getfattr $M/f | grep user; setfattr -x user.k $M/f; getfattr -d $M/f"))
                .isEqualTo("value\nuser.k");
    }

    @Test
    void answersStatfsAndFallocateAndSync() throws Exception {
        Shell.assumeInstalled("fallocate");
        assertThat(run("stat -f -c '%s %b %f %a %l' $M")).isEqualTo("4096 1000000 500000 400000 255");
        assertThat(run("fallocate -l 10000 $M/f; stat -c %s $M/f; fallocate -n -l 20000 $M/f; stat -c %s $M/f;"
                        + " sync $M/f; sync -d $M/f; sync $M; sync -f $M"))
                .isEqualTo("10000\n10000");
        assertThat(session.counters()).containsKey("requests.fsync").containsKey("requests.fsyncdir");
    }

    @Test
    void eightProcessesAtOnce() throws Exception {
        run("for i in 1 2 3 4 5 6 7 8; do (mkdir $M/$i; cd $M/$i; seq 500 | xargs touch; seq 500 | xargs rm; cd ..;"
                + " rmdir $M/$i) & done; wait");
        assertThat(run("ls -A $M")).isEmpty();
    }

    @Test
    void manyThatWaitForTheDeviceDoNotStopOthers() throws Exception {
        int waiting = 2 * Runtime.getRuntime().availableProcessors() + 6;
        CountDownLatch together = new CountDownLatch(waiting);
        CountDownLatch released = new CountDownLatch(1);
        fs.onFsync = () -> {
            together.countDown();
            await(released);
        };
        Path errors = Files.createTempFile("errors", ".txt");
        for (int round = 0; round < 2; round++) {
            Process syncs = Shell.start(
                    dir,
                    "for i in $(seq " + waiting + "); do (touch $M/$i; sync $M/$i) & done; wait; echo done",
                    errors);
            await(together);
            assertThat(run("touch $M/other; ls $M/other")).endsWith("other");
            released.countDown();
            assertThat(syncs.inputReader().readLine()).isEqualTo("done");
        }
        Files.delete(errors);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).as("all wait at once").isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void unexpectedFailuresAreAnsweredAndDoNotEndTheMount() throws Exception {
        fs.onFsync = () -> {
            throw new IllegalStateException("meant to fail");
        };
        assertThat(run("touch $M/f; (sync $M/f) 2>&1 || true; ls $M")).contains("Input/output error", "\nf");
        assertThat(session.counters()).containsEntry("unexpected", 1L);
        session.close();
        session = null;
    }

    @Test
    void endsWhenUnmountedFromOutside() throws Exception {
        run("touch $M/f; umount $M");
        session.ended().get(60, TimeUnit.SECONDS);
        session.close();
        session.close();
        assertThat(run("ls -A $M")).isEmpty();
    }

    @Test
    void staysMountedWhileInUse() throws Exception {
        run("echo kept >$M/f");
        Path errors = Files.createTempFile("errors", ".txt");
        Process user = Shell.start(dir, "cd $M; echo in; read line; cat f", errors);
        assertThat(user.inputReader().readLine()).isEqualTo("in");
        assertThatThrownBy(session::close)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        assertThat(session.ended()).isNotDone();
        try (var out = user.outputWriter()) {
            out.write("\n");
        }
        assertThat(user.inputReader().readLine()).isEqualTo("kept");
        assertThat(user.waitFor()).isZero();
        Files.delete(errors);
    }

    @Test
    void canBeTakenAwayFromBusyUsers() throws Exception {
        run("mkdir $M/d");
        Path errors = Files.createTempFile("errors", ".txt");
        Process user = Shell.start(
                dir, "cd $M/d; echo in; while true 2>/dev/null >f; do :; done; read line; echo gone", errors);
        assertThat(user.inputReader().readLine()).isEqualTo("in");
        session.detach();
        assertThat(session.ended()).isDone();
        try (var out = user.outputWriter()) {
            out.write("\n");
        }
        assertThat(user.inputReader().readLine()).isEqualTo("gone");
        assertThat(user.waitFor()).isZero();
        assertThat(run("ls -A $M")).isEmpty();
        Files.delete(errors);
    }

    @Test
    void mountsReadOnly(@TempDir Path other) throws Exception {
        try (TransportSession second =
                new FuseTransport().mount(new MountPoint("memory", other.toString(), true, false), fs)) {
            assertThat(Shell.run(other, "(touch $M/f) 2>&1 || true")).contains("Read-only file system");
            assertThat(second.ended()).isNotDone();
        }
    }

    @Test
    void leavesNoDescriptorAndNoThread() throws Exception {
        session.close();
        int before = Path.of("/proc/self/fd").toFile().list().length;
        for (int round = 0; round < 3; round++) {
            TransportSession again = way.transport().mount(new MountPoint("memory", dir.toString(), false, false), fs);
            run("touch $M/f" + round);
            again.close();
        }
        assertThat(Path.of("/proc/self/fd").toFile().list()).hasSizeLessThanOrEqualTo(before);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("ext4-fuse-"));
    }

    @Test
    void saysInOneLineWhatIsWrongWithTheMountPoint() throws Exception {
        Transport transport = way.transport();
        String missing = dir.resolveSibling("missing-mount-point").toString();
        assertThatThrownBy(() -> transport.mount(new MountPoint("m", missing, false, false), fs))
                .isInstanceOf(DeviceException.class)
                .hasMessage(missing + ": mount point does not exist");
        assertThatThrownBy(() -> transport.mount(new MountPoint("m", "/proc/version", false, false), fs))
                .isInstanceOf(DeviceException.class)
                .hasMessage("/proc/version: mount point is not a directory");
    }
}
