// SPDX-License-Identifier: Apache-2.0
package ext4.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import ext4.api.fs.TransportState;
import ext4.api.keep.Keep;
import ext4.api.keep.Kept;
import ext4.sys.MemoryFile;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemdKeeperTest {
    private static final String MOUNTPOINT = "/mnt/data";
    private static final long PID = 4711;

    @TempDir
    Path temp;

    private final Arena arena = Arena.ofConfined();
    private final SystemCalls calls = new SystemCalls(arena);

    @AfterEach
    void closeArena() {
        arena.close();
    }

    private TransportState connection() {
        List<Integer> clones = List.of(MemoryFile.create(calls, "a", 11), MemoryFile.create(calls, "b", 22));
        return new TransportState("fuse", clones, Map.of("flags", 5L), Map.of("where", "x"), false);
    }

    @Test
    void whatIsStoredComesBackToTheNextProcess() throws Throwable {
        Path path = temp.resolve("notify");
        FakeManager manager = new FakeManager(path);
        Keep first = new SystemdKeeper(Map.of("NOTIFY_SOCKET", path.toString()), PID, 3).open(MOUNTPOINT);
        assertThat(first.take()).as("the first").isNull();
        first.nodes(100).raise(12, 34);
        first.put(connection(), Map.of("strategy", "global"));
        manager.take(calls, 5);
        assertThat(manager.said).containsExactly("READY=1");
        first.put(connection(), Map.of("strategy", "sharded")); // other descriptors: two come, two go
        manager.take(calls, 8);
        assertThat(manager.stored.keySet())
                .extracting(name -> name.substring(name.indexOf('.') + 1))
                .containsExactlyInAnyOrder("nodes", "fuse.2", "fuse.3", "words.2");

        Keep second =
                new SystemdKeeper(manager.environment(path.toString(), PID), PID, FakeManager.FIRST).open(MOUNTPOINT);
        Kept kept = second.take();
        assertThat(kept.words()).isEqualTo(Map.of("strategy", "sharded"));
        assertThat(kept.connection().resend())
                .as("the first did not end in order")
                .isTrue();
        assertThat(kept.connection().numbers()).isEqualTo(Map.of("flags", 5L));
        assertThat(kept.connection().descriptors())
                .extracting(fd -> MemoryFile.size(calls, fd))
                .containsExactly(11L, 22L);
        assertThat(kept.nodes().pinned().size()).isOne();

        assertThat(second.handOver()).isNull();
        manager.take(calls, 2);
        Keep third =
                new SystemdKeeper(manager.environment(path.toString(), PID), PID, FakeManager.FIRST).open(MOUNTPOINT);
        assertThat(third.take().connection().resend()).as("handed over").isFalse();
        third.serves();
        manager.take(calls, 2);
        Keep fourth =
                new SystemdKeeper(manager.environment(path.toString(), PID), PID, FakeManager.FIRST).open(MOUNTPOINT);
        assertThat(fourth.take().connection().resend()).as("the third served").isTrue();

        fourth.drop();
        manager.take(calls, 4);
        assertThat(manager.stored).isEmpty();
    }

    @Test
    void mountsOfOneProcessAreToldApartAndOthersDescriptorsLeftAlone() throws Throwable {
        Path path = temp.resolve("notify");
        FakeManager manager = new FakeManager(path);
        SystemdKeeper keeper = new SystemdKeeper(Map.of("NOTIFY_SOCKET", path.toString()), PID, 3);
        for (String mountpoint : List.of("/a", "/b")) {
            Keep keep = keeper.open(mountpoint);
            keep.nodes(100);
            keep.put(connection(), Map.of("is", mountpoint));
            manager.take(calls, 5);
        }
        manager.stored.put("somebody's", MemoryFile.create(calls, "other", 1));
        Map<String, String> environment = manager.environment(path.toString(), PID);
        SystemdKeeper next = new SystemdKeeper(environment, PID, FakeManager.FIRST);
        assertThat(next.open("/b").take().words()).isEqualTo(Map.of("is", "/b"));
        assertThat(next.open("/a").take().words()).isEqualTo(Map.of("is", "/a"));
        assertThat(next.open("/a").take()).as("mounted again later").isNull();
        assertThat(new SystemdKeeper(environment, PID + 1, FakeManager.FIRST)
                        .open("/a")
                        .take())
                .as("meant for another process")
                .isNull();
    }

    @Test
    void withoutAManagerItSaysWhatIsMissing() {
        assertThatThrownBy(() -> new SystemdKeeper(Map.of(), PID, 3).open(MOUNTPOINT))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("NOTIFY_SOCKET")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> new ProcessKeeper(null).open(MOUNTPOINT))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("-o keep")
                .hasMessageNotContaining("\n");
    }
}
