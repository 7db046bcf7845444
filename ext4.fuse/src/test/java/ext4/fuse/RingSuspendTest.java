// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.MountPoint;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can't be done with a connection that is served over io_uring, or to be. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RingSuspendTest {
    private final MemoryFileSystem fs = new MemoryFileSystem();

    @TempDir
    Path dir;

    @Test
    void aRingIsNotGoneOnWithThroughReadsNorInAnotherProcess() throws Exception {
        Way.RING.assumeUsable();
        MountPoint where = new MountPoint("memory", dir.toString(), false, true);
        TransportSession session = Way.RING.transport().mount(where, fs);
        assertThatThrownBy(session::state)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("can't outlive its process");
        TransportState state = session.suspend();
        assertThatThrownBy(() -> Way.READS.transport().resume(where, fs, state))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("come over 'fuse-uring'");
        Map<String, Long> numbers = new HashMap<>(state.numbers());
        numbers.put("ring.process", 1L);
        TransportState foreign =
                new TransportState(state.transport(), state.descriptors(), numbers, state.words(), false);
        assertThatThrownBy(() -> Way.RING.transport().resume(where, fs, foreign))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("can't outlive its process");
        session = Way.RING.transport().resume(where, fs, state);
        assertThat(Shell.run(dir, "touch $M/f; ls $M")).isEqualTo("f");
        session.close();
    }

    @Test
    void aMountForReadsGetsNoRing() throws Exception {
        Shell.assumeFuse();
        MountPoint where = new MountPoint("memory", dir.toString(), false, true);
        TransportState state = Way.READS.transport().mount(where, fs).suspend();
        assertThatThrownBy(() -> Way.RING.transport().resume(where, fs, state))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("was not mounted for io_uring");
        TransportSession session = Way.READS.transport().resume(where, fs, state);
        assertThat(Shell.run(dir, "touch $M/f; ls $M")).isEqualTo("f");
        session.close();
    }
}
