// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.TransportState;
import ext4.api.keep.Keep;
import ext4.api.keep.Keeper;
import ext4.api.keep.Kept;
import ext4.api.keep.NodeTable;
import ext4.api.mount.Mount;
import ext4.api.mount.Mount.State;
import ext4.api.mount.MountException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a mount does with its keeper, step by step, and what it undoes when a step fails. */
@Timeout(60)
class KeptMountTest {
    @TempDir
    private Path mnt;

    private final FakeParts fakes = new FakeParts().all();
    private final FakeKeep keep = new FakeKeep();
    private final List<String> records = new ArrayList<>();
    private ManagedMount mount;

    private final MountRecord record = new MountRecord() {
        @Override
        public void name(String key, String name) {
            records.add(key + " " + name);
        }

        @Override
        public void readOnly(boolean readOnly) {
            records.add(readOnly ? "ro" : "rw");
        }

        @Override
        public boolean delete() {
            return true;
        }

        @Override
        public boolean deleteIfAbandoned() {
            return false;
        }
    };

    /** Notes what is asked of it in the log of the parts. */
    private final class FakeKeep implements Keep, NodeTable {
        private Kept left;
        private String refusal;
        private RuntimeException unknown;
        private RuntimeException fails;
        private Map<String, String> words;

        @Override
        public Kept take() {
            fakes.log.add("take");
            return left;
        }

        @Override
        public void serves() {
            fakes.log.add("serves");
        }

        @Override
        public void refuses(String why) {
            fakes.log.add("refuses " + why);
        }

        @Override
        public NodeTable nodes(long inodes) {
            fakes.log.add("nodes " + inodes);
            return this;
        }

        @Override
        public void put(TransportState connection, Map<String, String> own) {
            if (fails != null) {
                throw fails;
            }
            words = own;
            fakes.log.add("put " + connection.transport());
        }

        @Override
        public void prepare() {
            if (fails != null) {
                throw fails;
            }
            fakes.log.add("prepare");
        }

        @Override
        public String handOver() {
            fakes.log.add("hand over");
            if (unknown != null) {
                throw unknown;
            }
            return refusal;
        }

        @Override
        public void drop() {
            fakes.log.add("drop");
        }

        @Override
        public void close() {
            fakes.log.add("close keep");
        }

        @Override
        public void raise(int ino, int generation) {
            fakes.log.add("raise " + ino);
        }

        @Override
        public void lower(int ino, long count) {
            fakes.log.add("lower " + ino);
        }

        @Override
        public PinnedInodes pinned() {
            PinnedInodes pinned = new PinnedInodes(2);
            pinned.add(12, 1, 1, false);
            pinned.add(13, 1, 1, false);
            return pinned;
        }
    }

    private State mounted(String options) {
        fakes.keeper(Keeper.PROCESS, mountpoint -> keep);
        Map<String, Object> properties = new HashMap<>();
        properties.put(Mount.IMAGE, "/image");
        properties.put(Mount.MOUNTPOINT, mnt.toString());
        properties.put(Mount.OPTIONS, options);
        mount = new ManagedMount(properties, fakes.parts, record);
        return mount.settled().join();
    }

    @AfterEach
    void end() {
        if (mount != null) {
            mount.end();
        }
    }

    private List<String> since(int from) {
        return List.copyOf(fakes.log.subList(from, fakes.log.size()));
    }

    @Test
    void whatServesIsKeptFromTheStartAndDroppedAtTheEnd() throws Exception {
        assertThat(mounted("keep")).isEqualTo(State.MOUNTED);
        assertThat(fakes.log)
                .containsExactly("take", "open /image", "mount core global", "nodes 1000", "mount point", "put fuse");
        assertThat(mount.status()).containsEntry("keeper", "process");
        mount.unmount();
        assertThat(fakes.log).endsWith("close mount point", "close core", "close device", "drop", "close keep");
    }

    @Test
    void whatIsChangedIsToldAtOnce() throws Exception {
        fakes.strategy("sharded");
        assertThat(mounted("keep,orphan=global")).isEqualTo(State.MOUNTED);
        assertThat(keep.words).containsEntry("part.strategy", "global").containsEntry("read-only", "false");
        mount.strategy("sharded");
        assertThat(keep.words).containsEntry("part.strategy", "sharded");
        mount.remount("ro");
        assertThat(keep.words).containsEntry("read-only", "true");
    }

    @Test
    void handsOverAndIsOfNoUseAnyMore() throws Exception {
        assertThat(mounted("keep")).isEqualTo(State.MOUNTED);
        int before = fakes.log.size();
        mount.restart();
        assertThat(since(before))
                .containsExactly(
                        "prepare",
                        "suspend fuse",
                        "freeze ext4",
                        "close device",
                        "put fuse",
                        "hand over",
                        "close core",
                        "close keep");
        assertThat(keep.words).containsKeys("suspended.nanos", "read-only").containsEntry("was.clean", "true");
        assertThat(mount.ended().join()).isEqualTo(State.HANDED_OVER);
        assertThat(fakes.log).doesNotContain("drop");
    }

    /** What waits to be freed stands nowhere then, and nobody knows it: the next process would never free it. */
    @Test
    void withoutAJournalWhatWaitsToBeFreedIsFreedFirst() throws Exception {
        fakes.journals = false;
        fakes.at("awaitEvictions ext4", () -> fakes.log.add("await evictions"));
        assertThat(mounted("keep")).isEqualTo(State.MOUNTED);
        mount.restart();
        assertThat(fakes.log).containsSubsequence("suspend fuse", "await evictions", "freeze ext4", "hand over");
    }

    @Test
    void goesOnWhereTheOtherRefuses() throws Exception {
        assertThat(mounted("keep")).isEqualTo(State.MOUNTED);
        keep.refusal = "the new process did not take over: it is ill";
        int before = fakes.log.size();
        assertThatThrownBy(mount::restart).isInstanceOf(MountException.class).hasMessageEndingWith("it is ill");
        assertThat(since(before))
                .containsExactly(
                        "prepare",
                        "suspend fuse",
                        "freeze ext4",
                        "close device",
                        "put fuse",
                        "hand over",
                        "open /image",
                        "thaw ext4",
                        "resume fuse fuse",
                        "put fuse");
        assertThat(mount.state()).isEqualTo(State.MOUNTED);
        keep.refusal = null;
        mount.restart();
        assertThat(mount.ended().join()).isEqualTo(State.HANDED_OVER);
    }

    @Test
    void aStepThatFailsIsUndone() {
        assertThat(mounted("keep")).isEqualTo(State.MOUNTED);
        fakes.at("freeze ext4", () -> {
            throw new DeviceException("the device failed");
        });
        int before = fakes.log.size();
        assertThatThrownBy(mount::restart).hasMessageEndingWith("the device failed");
        assertThat(since(before)).containsExactly("prepare", "suspend fuse", "resume fuse fuse", "put fuse");
        fakes.at("freeze ext4", () -> {});
        fakes.at("suspend fuse", () -> {
            throw new IllegalStateException("a request takes long");
        });
        int second = fakes.log.size();
        assertThatThrownBy(mount::restart).hasMessageEndingWith("a request takes long");
        assertThat(since(second)).containsExactly("prepare");
        keep.fails = new DeviceException("the keeper process is gone");
        int third = fakes.log.size();
        assertThatThrownBy(mount::restart).hasMessageEndingWith("the keeper process is gone");
        assertThat(since(third)).isEmpty();
        assertThat(mount.state()).isEqualTo(State.MOUNTED);
    }

    @Test
    void whereNobodyKnowsWhoServesItThisOneDoesNot() {
        assertThat(mounted("keep")).isEqualTo(State.MOUNTED);
        keep.unknown = new DeviceException("the keeper process is gone");
        assertThatThrownBy(mount::restart).hasMessageContaining("lost while it was handed over");
        assertThat(fakes.log).endsWith("hand over", "close core", "close keep");
        assertThat(mount.ended().join()).isEqualTo(State.FAILED);
    }

    @Test
    void followsAsTheOtherLeftItWithoutALookAtTheMountPoint() throws Exception {
        fakes.strategy("sharded");
        keep.left = new Kept(
                new TransportState("fuse", List.of(), Map.of(), Map.of(), true),
                keep,
                Map.of("part.strategy", "sharded", "read-only", "true"));
        assertThat(mounted("keep,orphan=global")).isEqualTo(State.MOUNTED);
        assertThat(fakes.log)
                .containsExactly("take", "open /image ro", "adopt ext4 2 ro", "serves", "resume fuse fuse", "put fuse");
        assertThat(mount.strategies().named()).isEqualTo("sharded");
        assertThat(records).contains("orphan.strategy sharded", "ro");
        assertThat(mount.status().get("last restart")).contains("2 known nodes");
    }

    @Test
    void whatCantBeAdoptedIsRefusedBeforeAnythingIsRead() {
        keep.left = new Kept(
                new TransportState("fuse", List.of(), Map.of(), Map.of(), true), keep, Map.of("read-only", "false"));
        fakes.at("adopt ext4", () -> {
            throw new DeviceException("the image is ill");
        });
        assertThat(mounted("keep")).isEqualTo(State.FAILED);
        assertThat(fakes.log).containsExactly("take", "open /image", "close device", "refuses the image is ill");
    }

    @Test
    void anotherConfigurationHasNoKeeperAndSaysSo() {
        assertThat(mounted("")).isEqualTo(State.MOUNTED);
        assertThat(fakes.log).doesNotContain("take");
        assertThatThrownBy(mount::restart).hasMessageContaining("it has no keeper; mount it with -o keep");
        mount.end();
        mount = null;
        assertThat(mounted("keep=nobody")).isEqualTo(State.WAITING);
        assertThat(mount.failure()).contains("unknown keeper 'nobody'; available: process");
    }
}
