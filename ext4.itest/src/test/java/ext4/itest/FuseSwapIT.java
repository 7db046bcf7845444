// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.SwapReport;
import ext4.api.fs.SwapReport.Part;
import ext4.api.mount.Mount;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;

/** Programs work on a FUSE mount while the bundles of its parts are updated, and not one system call fails. */
@RunWith(FuseRunner.class)
@ExamReactorStrategy(PerClass.class)
public class FuseSwapIT extends FuseCase {
    private static final int UPDATES = 5;

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

    /** A switch to the other kind of transport is refused, and what was asked is not held either. */
    @Test
    public void theTransportByTheUpdateOfItsBundleAfterTheOtherKindWasRefused() throws Exception {
        String name = current(Part.TRANSPORT);
        String other = name.equals("fuse") ? "fuse-uring" : "fuse";
        Bundle bundle = module("ext4.fuse");
        try (Children children = new Children(mountpoint);
                Busy busy = Busy.start(WORKERS, children::round)) {
            ClassLoaders.Watched old = ClassLoaders.of(bundle);
            assertThatThrownBy(() -> mount.replace(Part.TRANSPORT, other))
                    .hasMessageStartingWith("transport '" + other + "' refused: ");
            busy.awaitRounds(WORKERS);
            update(bundle);
            awaitCurrent(Part.TRANSPORT, name);
            busy.awaitRounds(2 * WORKERS);
            old.assertCollected();
        }
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
}
