// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import ext4.itest.thirdparty.RefusingBundle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/** Which strategy wins, what happens without the one that is named, and when one refuses. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class PrecedenceIT extends MountCase {
    private static final int ROOT = 2;
    private static final int FILE_MODE = 0x81A4; // -rw-r--r--
    private static final byte[] NAME = "file".getBytes(StandardCharsets.US_ASCII);
    private static final String TROUBLE = "part orphan strategy trouble";

    @Test
    public void aNamedOneWinsOverRanking() throws Exception {
        name("global");
        awaitCurrent("global");
        ServiceReference<OrphanStrategy> sharded = reference("sharded");
        try (Busy busy = busy()) {
            register("better", 100, context.getService(sharded));
            settle();
            busy.awaitRounds(ROUNDS);
        }
        context.ungetService(sharded);
        assertThat(switches()).containsExactly("sharded>global");
    }

    @Test
    public void rankingDecidesBetweenTwoOfOneName() throws Exception {
        name("global");
        awaitCurrent("global");
        ServiceReference<OrphanStrategy> sharded = reference("sharded");
        try (Busy busy = busy()) {
            register("global", 100, context.getService(sharded));
            settle();
            busy.awaitRounds(ROUNDS);
        }
        context.ungetService(sharded);
        assertThat(switches()).containsExactly("sharded>global", "global>global");
    }

    @Test
    public void aFallbackTakesThePlaceOfTheNamedOne() throws Exception {
        configure(Map.of(Mount.STRATEGY, "sharded", Mount.FALLBACK, "global"));
        settle();
        Bundle sharded = bundle("sharded");
        try (Busy busy = busy()) {
            for (int i = 0; i < 3; i++) {
                sharded.stop();
                awaitCurrent("global");
                busy.awaitRounds(ROUNDS);
                sharded.start();
                awaitCurrent("sharded");
                busy.awaitRounds(ROUNDS);
            }
        }
        assertThat(switches()).hasSize(6).doesNotContain("sharded>none");
        assertCarried();
    }

    @Test
    public void aMissingNamedOneIsWaitedFor() throws Exception {
        mount.strategy("sharded");
        Bundle sharded = bundle("sharded");
        try (Busy busy = busy()) {
            for (int i = 0; i < 3; i++) {
                sharded.stop();
                assertThat(current()).isNull();
                awaitWaiting();
                long rounds = busy.rounds();
                Attributes root = new Attributes();
                mount.fileSystem().getattr(ROOT, root); // what needs no list goes on
                assertThat(root.ino).isEqualTo(ROOT);
                assertThat(busy.rounds()).isEqualTo(rounds);
                sharded.start();
                awaitCurrent("sharded");
                busy.awaitRounds(ROUNDS);
            }
        }
        assertThat(switches()).hasSize(6).startsWith("sharded>none", "none>sharded");
        assertCarried();
    }

    @Test
    public void anotherNameEndsTheWait() throws Exception {
        mount.strategy("sharded");
        try (Busy busy = busy()) {
            bundle("sharded").stop();
            awaitWaiting();
            name("global");
            awaitCurrent("global");
            busy.awaitRounds(ROUNDS);
            mount.strategies().available().forEach(name -> assertThat(name).isEqualTo("global"));
        }
        assertThat(switches()).containsExactly("sharded>none", "none>global");
        assertCarried();
    }

    @Test
    public void afterTheLimitRequestsFailWithEio() throws Exception {
        configure(Map.of(Mount.STRATEGY, "sharded", Mount.PART_LIMIT, "1"));
        settle();
        FileSystem fs = mount.fileSystem();
        Attributes file = new Attributes();
        fs.create(Credentials.ROOT, ROOT, NAME, FILE_MODE, file);
        Bundle sharded = bundle("sharded");
        sharded.stop();
        assertThatThrownBy(() -> fs.unlink(Credentials.ROOT, ROOT, NAME))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
        // what needs no list goes on
        assertThat(fs.write(Credentials.ROOT, file.ino, 0, ByteBuffer.wrap(NAME), 0))
                .isEqualTo(NAME.length);
        fs.fsync(file.ino, false);
        assertThat(mount.status().get(TROUBLE)).contains("'sharded' is not there");
        sharded.start();
        awaitCurrent("sharded");
        fs.unlink(Credentials.ROOT, ROOT, NAME);
        fs.forget(file.ino, 1);
    }

    @Test
    public void anUnknownNameLeavesTheOneAtWork() throws Exception {
        try (Busy busy = busy()) {
            assertThatThrownBy(() -> mount.strategy("nosuch"))
                    .isInstanceOf(MountException.class)
                    .hasMessage("unknown orphan strategy 'nosuch'; available: global, sharded");
            name("nosuch");
            awaitStatus(TROUBLE, "'nosuch' is not there");
            busy.awaitRounds(ROUNDS);
            assertThat(current()).isEqualTo("sharded");
            configure(Map.of());
            await("no trouble", () -> mount.status().get(TROUBLE) == null);
        }
        assertThat(mount.switches()).isEmpty();
    }

    /** In each way in; and of a bundle that refused nothing stays either. */
    @Test
    public void oneThatRefusesLeavesTheOldOneAtWork() throws Exception {
        String refused = "orphan strategy 'refusing' refused: no room for ";
        try (Busy busy = busy()) {
            Bundle refusing = context.installBundle("thirdparty", RefusingBundle.jar());
            refusing.start();
            awaitStatus(TROUBLE, refused); // it ranks first
            busy.awaitRounds(ROUNDS);
            assertThatThrownBy(() -> mount.strategy(RefusingBundle.NAME))
                    .isInstanceOf(MountException.class)
                    .hasMessageStartingWith(refused);
            busy.awaitRounds(ROUNDS);
            name(RefusingBundle.NAME);
            awaitStatus("orphan strategy named", RefusingBundle.NAME);
            awaitStatus(TROUBLE, refused);
            busy.awaitRounds(ROUNDS);
            assertThat(current()).isEqualTo("sharded");
            assertThat(mount.switches()).isEmpty();
            ClassLoaders.Watched old = watch(RefusingBundle.NAME);
            refusing.uninstall();
            awaitStatus(TROUBLE, "'refusing' is not there");
            old.assertCollected();
            mount.strategy("global"); // the mount can still be switched
            busy.awaitRounds(ROUNDS);
        }
        assertThat(switches()).containsExactly("sharded>global");
        assertCarried();
    }

    /** A class that is no longer there is refused as well: what a bundle that was closed meanwhile would throw. */
    @Test
    public void oneWithoutItsClassesIsRefused() throws Exception {
        register("broken", 100, (store, present) -> {
            throw new NoClassDefFoundError("broken/Stripe");
        });
        awaitStatus(TROUBLE, "'broken' refused: broken/Stripe");
        assertThat(current()).isEqualTo("sharded");
        bundle("sharded").stop(); // of those left the best that does not refuse
        assertThat(current()).isEqualTo("global");
    }

    @Test
    public void onlyTheEndOfItsConfigurationUnmounts() throws Exception {
        mount.strategy("sharded");
        for (String part : List.of("sharded", "global")) {
            bundle(part).stop();
        }
        assertThat(mount.state()).isEqualTo(Mount.State.MOUNTED);
        configuration.delete();
        assertThat(mount.ended().join()).isEqualTo(Mount.State.UNMOUNTED);
        assertThatThrownBy(() -> mount.fileSystem()).isInstanceOf(ErrnoException.class);
    }
}
