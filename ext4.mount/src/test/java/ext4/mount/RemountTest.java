// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.mount.Mount;
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

@Timeout(60)
class RemountTest {
    @TempDir
    private Path mnt;

    private final FakeParts fakes = new FakeParts();
    private final List<String> records = new ArrayList<>();
    private final Map<String, Object> properties = new HashMap<>();
    private ManagedMount mount;

    private final MountRecord record = new MountRecord() {
        @Override
        public void name(String key, String name) {
            throw new AssertionError("not expected: " + name);
        }

        @Override
        public void readOnly(boolean readOnly) {
            records.add(readOnly ? "ro" : "rw");
        }

        @Override
        public boolean deleteIfAbandoned() {
            return false;
        }

        @Override
        public boolean delete() {
            return true;
        }
    };

    private void start() {
        properties.put(Mount.IMAGE, "/img");
        properties.put(Mount.MOUNTPOINT, mnt.toString());
        mount = new ManagedMount(properties, fakes.parts, record);
        assertThat(mount.settled().join()).isEqualTo(Mount.State.MOUNTED);
    }

    private void change(String property, String value) {
        Map<String, Object> changed = new HashMap<>(properties);
        changed.put(property, value);
        mount.configure(changed);
    }

    @AfterEach
    void end() {
        if (mount != null) {
            mount.end();
        }
    }

    @Test
    void remountTellsTheKernelFirstAndTheCoreWithTheGateClosed() throws MountException {
        fakes.all();
        start();
        fakes.log.clear();
        mount.remount("ro,relatime");
        assertThat(fakes.log).containsExactly("syncfs", "remount mount point", "remountReadOnly");
        fakes.log.clear();
        mount.remount("ro");
        mount.remount("rw");
        assertThat(fakes.log).containsExactly("remount mount point", "remountReadWrite", "remount mount point");
        assertThat(records).containsExactly("ro", "ro", "rw");
    }

    @Test
    void aChangedConfigurationRemounts() {
        fakes.all();
        properties.put(Mount.OPTIONS, "noatime,ro");
        start();
        fakes.log.clear();
        change(Mount.OPTIONS, "noatime");
        while (!fakes.log.contains("remount mount point")) {
            Thread.onSpinWait();
        }
        assertThat(fakes.log).containsExactly("close device", "open /img", "remountReadWrite", "remount mount point");
        fakes.remountFails = new DeviceException("the journal aborted");
        change(Mount.OPTIONS, "noatime,ro");
        while (mount.refusal() == null) {
            Thread.onSpinWait();
        }
        assertThat(mount.refusal()).isEqualTo(mnt + ": not remounted: the journal aborted");
        assertThat(fakes.log).endsWith("syncfs", "remount mount point", "remount mount point");
        assertThat(fakes.readOnly).isFalse();
    }

    @Test
    void aRemountThatCannotBeLeavesEverythingAsItWas() throws MountException {
        fakes.all();
        start();
        fakes.busyKernel = true;
        assertThatThrownBy(() -> mount.remount("ro")).hasMessage(mnt + ": mount point is busy");
        assertThat(fakes.log).doesNotContain("remountReadOnly");
        fakes.busyKernel = false;
        fakes.remountFails = ErrnoException.of(Errno.EBUSY);
        assertThatThrownBy(() -> mount.remount("ro")).hasMessage(mnt + ": mount point is busy");
        assertThatThrownBy(() -> mount.remount("ro,sync"))
                .hasMessage(mnt + ": a remount changes nothing but ro and rw; asked for 'ro,sync'");
        assertThatThrownBy(() -> mount.remount("nonsense")).hasMessage("unknown mount option 'nonsense'");
        assertThat(records).isEmpty();
        assertThat(fakes.readOnly).isFalse();
        fakes.remountFails = null;
        mount.fileSystem().unlink(null, 2, new byte[] {'f'}); // the gate is open
        mount.unmount();
        assertThatThrownBy(() -> mount.remount("ro")).hasMessage(mnt + ": not mounted");
    }
}
