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
import ext4.api.fs.SwapReport.Part;
import ext4.api.mount.Mount;
import ext4.api.mount.Mount.State;
import ext4.api.mount.MountException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private volatile boolean inAFile;
    private volatile boolean abandoned;

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
            records.add("delete");
            return !inAFile;
        }

        @Override
        public boolean deleteIfAbandoned() {
            return abandoned;
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
                "allowed | '' | fuse-uring",
                "allowed | options=transport=fuse | fuse",
                "allowed | transport=fuse | fuse",
                "off here | '' | fuse",
                "off here | transport=fuse | fuse",
                "off here | options=transport=fuse-uring | /img: off here",
                "off here | transport=fuse-uring | /img: off here",
                "allowed | transport=nfs | /img: unknown transport 'nfs'; available: fuse, fuse-uring",
            })
    void theNamedTransportOrTheBestThatTheHostAllows(String host, String property, String expected) {
        fakes.all();
        fakes.transport("fuse-uring", 100, host.equals("allowed") ? null : host);
        if (property.indexOf('=') > 0) {
            properties.put(property.substring(0, property.indexOf('=')), property.substring(property.indexOf('=') + 1));
        }
        State state = start();
        if (expected.startsWith("/")) {
            assertThat(state).isIn(State.FAILED, State.WAITING);
            assertThat(mount.failure()).isEqualTo(expected);
            assertThat(fakes.log).isEmpty();
        } else {
            assertThat(state).isEqualTo(State.MOUNTED);
            assertThat(mount.status()).containsEntry("transport", expected);
        }
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
    void aCorrectedImageIsTheOneThatIsNamed() {
        fakes.all();
        properties.put(Mount.IMAGE, "/missing");
        assertThat(start()).isEqualTo(State.FAILED);
        change(Mount.IMAGE, "/img");
        awaitState(State.MOUNTED);
        assertThat(mount.image()).isEqualTo("/img");
        assertThat(mount.failure()).isNull();
    }

    @Test
    void aConfigurationThatBecameBadIsNotMountedWhenItsPartsCome() {
        fakes.core();
        fakes.journal();
        fakes.strategy("global");
        fakes.transport();
        assertThat(start()).isEqualTo(State.WAITING);
        change(Mount.OPTIONS, "nonsense");
        awaitFailure("/img: unknown mount option 'nonsense'");
        fakes.device();
        mount.deviceCame();
        change(Mount.OPTIONS, "worse");
        awaitFailure("/img: unknown mount option 'worse'"); // the coordinator has done all that was posted before
        assertThat(fakes.log).isEmpty();
        change(Mount.OPTIONS, "");
        awaitState(State.MOUNTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "options | nonsense | unknown mount option 'nonsense'",
                "options | sync | options other than ro and rw can't be changed while it is mounted; unmount and mount it again",
                "image | /other | image can't be changed while it is mounted; unmount and mount it again",
                "mountpoint | /other | mountpoint can't be changed while it is mounted; unmount and mount it again",
                "mountpoint | other | mountpoint 'other' is not an absolute path",
                "transport | none | transport can't be changed while it is mounted; unmount and mount it again",
                "part.limit | soon | bad part.limit 'soon': it takes seconds",
                "orphan.strategy | fast | orphan strategy 'fast' is not there; available: global",
            })
    void aBadChangeOfARunningMountIsRefusedAndItGoesOn(String property, String value, String line) throws Exception {
        fakes.all();
        start();
        List<String> before = List.copyOf(fakes.log);
        Object old = properties.get(property);
        change(property, value);
        while (!line.equals(mount.refusal())) {
            Thread.onSpinWait();
        }
        assertThat(mount.status()).containsEntry("change refused", line).containsEntry("state", "mounted");
        assertThat(mount.image()).isEqualTo("/img");
        assertThat(mount.mountpoint()).isEqualTo(mnt.toString());
        assertThat(mount.strategies().current()).isEqualTo("global");
        assertThat(fakes.log).isEqualTo(before);
        change(property, old);
        while (mount.refusal() != null) {
            Thread.onSpinWait();
        }
        assertThat(fakes.log).isEqualTo(before);
    }

    @Test
    void orphanAmongTheOptionsSwitchesToo() {
        fakes.all();
        fakes.strategy("sharded");
        properties.put(Mount.OPTIONS, "orphan=global");
        start();
        change(Mount.OPTIONS, "orphan=sharded");
        while (!fakes.log.contains("swap sharded")) {
            Thread.onSpinWait();
        }
        assertThat(mount.refusal()).isNull();
    }

    @Test
    void whatAFileConfiguresIsMountedAgainOnDemand() throws MountException {
        fakes.all();
        inAFile = true;
        start();
        mount.mount(); // it is
        mount.unmount();
        assertThat(mount.ended().join()).isEqualTo(State.UNMOUNTED);
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(mount::unmount)
                .withMessage(mnt + ": not mounted");
        mount.configure(Map.copyOf(properties)); // nothing new
        mount.deviceCame();
        fakes.log.clear();
        mount.mount();
        assertThat(fakes.log).containsExactly("open /img", "mount core global", "mount point");
        assertThat(mount.state()).isEqualTo(State.MOUNTED);
        assertThat(mount.ended()).isNotDone();
        fakes.mountPoint.complete(null); // umount(8)
        awaitState(State.UNMOUNTED);
        change(Mount.OPTIONS, "ro");
        awaitState(State.MOUNTED);
        assertThat(fakes.log).contains("open /img ro");
    }

    @Test
    void aMountPointThatIsTakenIsRefused() throws MountException {
        fakes.all();
        start();
        ManagedMount second = new ManagedMount(properties, fakes.parts, record);
        try {
            assertThat(second.settled().join()).isEqualTo(State.FAILED);
            assertThat(second.failure()).isEqualTo(mnt + ": already mounted by another configuration");
            mount.unmount();
            second.mount();
            assertThat(second.state()).isEqualTo(State.MOUNTED);
        } finally {
            second.end();
        }
    }

    @Test
    void whatHasLostItsFileIsNotMounted() {
        fakes.all();
        abandoned = true;
        assertThat(start()).isEqualTo(State.FAILED);
        assertThat(mount.failure()).isEqualTo("/img: the file of its configuration is gone");
        mount.deviceCame();
        mount.end();
        assertThat(fakes.log).isEmpty();
    }

    @Test
    void whatDoesNotMountAgainSaysWhy() throws MountException {
        fakes.all();
        fakes.transportFails = "/dev/fuse: permission denied";
        start();
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(mount::mount)
                .withMessage("/img: /dev/fuse: permission denied");
        fakes.transportFails = null;
        mount.mount();
        assertThat(mount.state()).isEqualTo(State.MOUNTED);
    }

    @Test
    void theStrategyThatWasChosenDoesNotMountAgainWhatWasUnmounted() throws MountException {
        fakes.all();
        fakes.strategy("sharded");
        start();
        mount.strategy("sharded");
        fakes.mountPoint.complete(null);
        awaitState(State.UNMOUNTED);
        change(Mount.STRATEGY, "sharded"); // as Configuration Admin says it late
        change(Mount.STRATEGY, "sharded");
        assertThatExceptionOfType(MountException.class).isThrownBy(() -> mount.strategy("global")); // after both
        assertThat(mount.state()).isEqualTo(State.UNMOUNTED);
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
        mount.deviceCame();
        awaitFailure("/img: unknown orphan strategy 'sharded'; available: global");
        mount.partCame(Part.STRATEGY, fakes.strategy("sharded"));
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
        assertThat(records).containsExactly("orphan.strategy sharded");
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
        mount.partGoes(Part.STRATEGY, key);
        assertThat(fakes.log).endsWith("detach strategy"); // before partGoes returned
        CompletableFuture<Void> unlink =
                CompletableFuture.runAsync(() -> fs.unlink(Credentials.ROOT, 2, new byte[] {'x'}));
        fs.forget(12, 1);
        while (!"1".equals(mount.status().get("requests waiting for a part"))) {
            Thread.onSpinWait();
        }
        assertThat(fakes.log).doesNotContain("unlink", "forget");
        mount.partCame(Part.STRATEGY, fakes.strategy("global"));
        unlink.join();
        while (!fakes.log.contains("forget")) {
            Thread.onSpinWait();
        }
        assertThat(fakes.log).contains("swap global", "unlink", "forget");
    }

    private void change(String property, Object value) {
        Map<String, Object> changed = new HashMap<>(properties);
        changed.put(property, value);
        changed.values().removeIf(Objects::isNull);
        mount.configure(changed);
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
