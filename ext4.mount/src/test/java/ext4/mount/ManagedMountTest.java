// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.mount.Mount;
import ext4.api.mount.Mount.State;
import ext4.api.mount.MountException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ManagedMountTest {
    @TempDir
    private Path mnt;

    private final FakeParts fakes = new FakeParts();
    private final List<String> records = new ArrayList<>();
    private final Map<String, Object> properties = new HashMap<>();
    private ManagedMount mount;

    private final MountRecord record = new MountRecord() {
        @Override
        public void strategy(String name) {
            records.add("strategy " + name);
        }

        @Override
        public void delete() {
            records.add("delete");
        }
    };

    @BeforeEach
    void defaults() {
        properties.put(Mount.IMAGE, "/img");
        properties.put(Mount.MOUNTPOINT, mnt.toString());
    }

    @AfterEach
    void end() {
        if (mount != null) {
            mount.end();
        }
    }

    private State start() {
        mount = new ManagedMount(properties, fakes.parts, record);
        return mount.settled().join();
    }

    @Test
    void comesUpAndGoesDownInOrder() throws MountException {
        fakes.all();
        assertThat(start()).isEqualTo(State.MOUNTED);
        mount.unmount();
        assertThat(fakes.log)
                .containsExactly(
                        "open /img",
                        "mount core global",
                        "mount point",
                        "close mount point",
                        "close core",
                        "close device");
        assertThat(records).containsExactly("delete");
        assertThat(mount.ended().join()).isEqualTo(State.UNMOUNTED);
        assertThatThrownBy(mount::fileSystem).isSameAs(ErrnoException.of(Errno.ENODEV));
    }

    @Test
    void withoutATransportItIsForThisProcess() {
        fakes.all();
        properties.put(Mount.TRANSPORT, Mount.NO_TRANSPORT);
        properties.put(Mount.MOUNTPOINT, "/no/such/directory");
        assertThat(start()).isEqualTo(State.MOUNTED);
        mount.fileSystem().unlink(Credentials.ROOT, 2, new byte[] {'x'});
        assertThat(fakes.log).containsExactly("open /img", "mount core global", "unlink");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "options | nonsense | /img: unknown mount option 'nonsense'",
                "image | /missing | /missing: No such file or directory",
                "image | '' | (no image): the configuration has no image",
                "mountpoint | relative | mountpoint 'relative' is not an absolute path",
                "mountpoint | /no/such/directory | /no/such/directory: mount point does not exist",
                "mountpoint | /etc/passwd | /etc/passwd: mount point is not a directory",
                "part.limit | soon | /img: bad part.limit 'soon': it takes seconds",
            })
    void aBadConfigurationIsOneLineAndTouchesNothing(String property, String value, String line) {
        fakes.all();
        properties.put(property, value);
        assertThat(start()).isEqualTo(State.FAILED);
        assertThat(mount.failure()).isEqualTo(line);
        assertThat(fakes.log).isEmpty();
        assertThat(mount.status()).containsEntry("state", "failed").containsEntry("reason", line);
    }

    @Test
    void aCorrectedConfigurationMounts() {
        fakes.all();
        properties.put(Mount.OPTIONS, "nonsense");
        assertThat(start()).isEqualTo(State.FAILED);
        properties.put(Mount.OPTIONS, "ro");
        mount.configure(properties);
        awaitState(State.MOUNTED);
        assertThat(fakes.log).startsWith("open /img ro");
    }

    @Test
    void whatFailsHalfWayIsTakenDownAgain() {
        fakes.all();
        fakes.transportFails = "/dev/fuse: permission denied";
        assertThat(start()).isEqualTo(State.FAILED);
        assertThat(mount.failure()).isEqualTo("/img: /dev/fuse: permission denied");
        assertThat(fakes.log).containsExactly("open /img", "mount core global", "close core", "close device");
    }

    @Test
    void aCoreThatRefusesClosesTheDevice() {
        fakes.all();
        fakes.coreFails = new CorruptException("superblock", 0, "s_magic", "0x0", "0xef53");
        assertThat(start()).isEqualTo(State.FAILED);
        assertThat(mount.failure()).isEqualTo("/img: superblock, block 0: s_magic is 0x0, expected 0xef53");
        assertThat(fakes.log).containsExactly("open /img", "close device");
    }

    @Test
    void waitsForItsPartsWhateverTheirOrder() {
        properties.put(Mount.STRATEGY, "sharded");
        assertThat(start()).isEqualTo(State.WAITING);
        assertThat(mount.failure()).isEqualTo("/img: no block device provider is there; start ext4.device");
        fakes.device();
        fakes.core();
        fakes.strategy("global");
        fakes.journal();
        fakes.transport();
        mount.partCame();
        awaitFailure("/img: unknown orphan strategy 'sharded'; available: global");
        mount.strategyCame(fakes.strategy("sharded"));
        awaitState(State.MOUNTED);
        assertThat(fakes.log).contains("mount core sharded");
    }

    @Test
    void aBusyMountPointStaysMounted() throws MountException {
        fakes.all();
        start();
        fakes.busy = true;
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(mount::unmount)
                .withMessage(mnt + ": target is busy");
        assertThat(mount.state()).isEqualTo(State.MOUNTED);
        assertThat(records).isEmpty();
        fakes.busy = false;
        mount.unmount();
        assertThat(mount.state()).isEqualTo(State.UNMOUNTED);
    }

    @Test
    void theEndOfTheConfigurationDetachesABusyMountPointAndLeavesACleanImage() {
        fakes.all();
        start();
        fakes.busy = true;
        mount.end();
        assertThat(fakes.log).endsWith("detach mount point", "close core", "close device");
        assertThat(mount.ended().join()).isEqualTo(State.UNMOUNTED);
    }

    @Test
    void umountFromOutsideLeavesACleanImage() {
        fakes.all();
        start();
        fakes.mountPoint.complete(null);
        assertThat(mount.ended().join()).isEqualTo(State.UNMOUNTED);
        assertThat(fakes.log).endsWith("close core", "close device");
        assertThat(records).isEmpty();
    }

    @Test
    void theOperatorsChoiceIsWrittenIntoTheConfiguration() throws MountException {
        fakes.all();
        fakes.strategy("sharded");
        start();
        assertThat(mount.strategy("sharded").orphansCarried()).isEqualTo(2);
        assertThat(records).containsExactly("strategy sharded");
        assertThat(mount.strategies())
                .isEqualTo(new Mount.Strategies("sharded", "sharded", List.of("global", "sharded")));
        properties.put(Mount.STRATEGY, "sharded");
        mount.configure(properties); // as Configuration Admin then does
        assertThat(mount.strategy("sharded").pauseMicros()).isZero();
        assertThat(mount.switches()).hasSize(1);
    }

    @Test
    void aChangedConfigurationSwitches() {
        fakes.all();
        fakes.strategy("sharded");
        start();
        properties.put(Mount.STRATEGY, "sharded");
        mount.configure(properties);
        while (!fakes.log.contains("swap sharded")) {
            Thread.onSpinWait();
        }
        assertThat(mount.state()).isEqualTo(State.MOUNTED);
    }

    @Test
    void whileTheStrategyIsMissingRequestsWaitAndThenGoOn() {
        fakes.device();
        fakes.core();
        fakes.journal();
        fakes.transport();
        Object key = fakes.strategy("global");
        properties.put(Mount.STRATEGY, "global");
        start();
        FileSystem fs = mount.fileSystem();
        fakes.parts.strategies.remove(key);
        mount.strategyGoes(key);
        assertThat(fakes.log).endsWith("detach strategy"); // before strategyGoes returned
        CompletableFuture<Void> unlink =
                CompletableFuture.runAsync(() -> fs.unlink(Credentials.ROOT, 2, new byte[] {'x'}));
        fs.forget(12, 1);
        while (!"1".equals(mount.status().get("requests waiting for a part"))) {
            Thread.onSpinWait();
        }
        assertThat(fakes.log).doesNotContain("unlink", "forget");
        mount.strategyCame(fakes.strategy("global"));
        unlink.join();
        while (!fakes.log.contains("forget")) {
            Thread.onSpinWait();
        }
        assertThat(fakes.log).contains("swap global", "unlink", "forget");
    }

    private void awaitState(State state) {
        while (mount.state() != state) {
            Thread.onSpinWait();
        }
    }

    private void awaitFailure(String line) {
        while (!line.equals(mount.failure())) {
            Thread.onSpinWait();
        }
    }
}
