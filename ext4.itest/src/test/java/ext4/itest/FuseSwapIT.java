// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.fuse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.api.fs.SwapReport;
import ext4.api.fs.SwapReport.Part;
import ext4.api.mount.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;

/** Programs work on a FUSE mount while the bundles of its parts are updated, and not one system call fails. */
@RunWith(FuseRunner.class)
@ExamReactorStrategy(PerClass.class)
public class FuseSwapIT extends MountCase {
    private static final int UPDATES = 5;
    private static final int HELD = 3;

    /** Trees come and go; a file without a name is read at the end of each round. Ends with its input. */
    private static final String TREES = """
            cd "$M"; mkdir tree$N; cd tree$N
            while mkdir d; do
                for i in 0 1 2 3 4 5 6 7 8 9; do echo "line $i" > d/$i; done
                exec 4< d/9
                mv d/0 d/moved; mv d/1 d/2; chmod 600 d/3; : > d/4; ln d/5 d/link; ln -s 5 d/symlink
                ls -l d > /dev/null
                rm -r d
                read -r line <&4; [ "$line" = "line 9" ]; exec 4<&-
                echo round; read -r go || break
            done
            cd ..; rm -r tree$N
            """;

    /** Holds a file without a name for as long as its input goes on. */
    private static final String HOLDER = """
            cd "$M"; echo kept > held$N; exec 4< held$N; rm held$N
            echo ready; read -r go || :
            read -r line <&4; [ "$line" = kept ]
            """;

    private Path mountpoint;

    @Override
    @org.ops4j.pax.exam.Configuration
    public Option[] parts() {
        return options(composite(super.parts()), fuse());
    }

    @Override
    Map<String, String> door() {
        return Map.of(Mount.MOUNTPOINT, mountpoint.toString());
    }

    @Before
    @Override
    public void mountIt() throws Exception {
        mountpoint = Files.createTempDirectory("mountpoint");
        super.mountIt();
    }

    @After
    @Override
    public void unmountAndJudge() throws Exception {
        super.unmountAndJudge();
        if (mountpoint != null) {
            Files.delete(mountpoint); // fails while something is mounted on it
        }
    }

    @Test
    public void byTheUpdateOfItsBundle() throws Exception {
        updateUnderLoad();
        assertThat(switches()).hasSize(2 * UPDATES).startsWith("sharded>global", "global>sharded");
    }

    /** Requests wait at the gate from stop to start. */
    @Test
    public void byTheUpdateOfTheNamedOne() throws Exception {
        mount.strategy("sharded");
        updateUnderLoad();
        assertThat(switches()).hasSize(2 * UPDATES).startsWith("sharded>none", "none>sharded");
    }

    @Override
    List<String> modules() {
        return Stream.concat(super.modules().stream(), Stream.of("ext4.fuse")).toList();
    }

    @Test
    public void theTransportByTheUpdateOfItsBundle() throws Exception {
        partByTheUpdateOfItsBundle(Part.TRANSPORT, "ext4.fuse");
    }

    @Test
    public void theJournalByTheUpdateOfItsBundle() throws Exception {
        partByTheUpdateOfItsBundle(Part.JOURNAL, "ext4.journal");
    }

    @Test
    public void theCoreByTheUpdateOfItsBundle() throws Exception {
        partByTheUpdateOfItsBundle(Part.CORE, "ext4.core");
    }

    private void partByTheUpdateOfItsBundle(Part part, String module) throws Exception {
        String name = current(part);
        Bundle bundle = module(module);
        try (Children children = new Children(mountpoint);
                Busy busy = Busy.start(WORKERS, children::round)) {
            for (int i = 0; i < UPDATES; i++) {
                ClassLoaders.Watched old = ClassLoaders.of(bundle);
                update(bundle);
                awaitCurrent(part, name);
                busy.awaitRounds(2 * WORKERS);
                old.assertCollected();
            }
        }
        assertThat(switches(part)).hasSize(2 * UPDATES).startsWith(name + ">none", "none>" + name);
    }

    /** Programs wait in the kernel, and nothing of the old bundle is held meanwhile. */
    @Test
    public void theTransportByUninstallAndInstall() throws Exception {
        String name = current(Part.TRANSPORT);
        try (Children children = new Children(mountpoint);
                Busy busy = Busy.start(WORKERS, children::round)) {
            ClassLoaders.Watched old = ClassLoaders.of(module("ext4.fuse"));
            module("ext4.fuse").uninstall();
            assertThat(current(Part.TRANSPORT)).isNull();
            old.assertCollected();
            installModule("ext4.fuse").start();
            awaitCurrent(Part.TRANSPORT, name);
            busy.awaitRounds(2 * WORKERS);
        }
    }

    @Test
    public void eachPartIsRenewedOnDemand() throws Exception {
        try (Children children = new Children(mountpoint);
                Busy busy = Busy.start(WORKERS, children::round)) {
            for (Part part : Part.values()) {
                assertThat(mount.replace(part, null).to()).isEqualTo(current(part));
                busy.awaitRounds(2 * WORKERS);
            }
        }
        assertThat(mount.switches()).hasSize(Part.values().length);
    }

    /** Nobody serves the mount point; what ends it is that its descriptors are closed. */
    @Test
    public void withoutATransportItIsUnmountedAllTheSame() throws Exception {
        try (Child child = new Child(mountpoint, 0, "echo kept > \"$M/file\"; cat \"$M/file\"")) {
            assertThat(child.line()).isEqualTo("kept");
        }
        module("ext4.fuse").uninstall();
        assertThat(current(Part.TRANSPORT)).isNull();
        mount.unmount();
        assertThat(mount.state()).isEqualTo(Mount.State.UNMOUNTED);
        assertThat(mount.ended().join()).isEqualTo(Mount.State.UNMOUNTED);
    }

    private void updateUnderLoad() throws Exception {
        Bundle sharded = bundle("sharded");
        try (Children children = new Children(mountpoint);
                Busy busy = Busy.start(WORKERS, children::round)) {
            for (int i = 0; i < UPDATES; i++) {
                ClassLoaders.Watched old = watch("sharded");
                update(sharded);
                awaitCurrent("sharded");
                busy.awaitRounds(2 * WORKERS);
                old.assertCollected();
            }
        }
        assertThat(mount.switches()).extracting(SwapReport::orphansCarried).allMatch(carried -> carried >= HELD);
    }

    /** The programs that make the load, and those that hold a file without a name. */
    private static final class Children implements AutoCloseable {
        private final List<Child> all = new ArrayList<>();

        private Children(Path mountpoint) throws IOException {
            for (int i = 0; i < WORKERS; i++) {
                all.add(new Child(mountpoint, i, TREES));
            }
            for (int i = 0; i < HELD; i++) {
                Child holder = new Child(mountpoint, i, HOLDER);
                all.add(holder);
                holder.line();
            }
        }

        private void round(int worker) throws IOException {
            all.get(worker).line();
            all.get(worker).go();
        }

        @Override
        public void close() throws Exception {
            for (Child child : all) {
                child.endInput(); // of all first: a failure of one must not leave others on the mount
            }
            for (Child child : all) {
                child.close();
            }
        }
    }
}
