// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.base;
import static ext4.itest.Options.configurationFolder;
import static ext4.itest.Options.core;
import static ext4.itest.Options.device;
import static ext4.itest.Options.journal;
import static ext4.itest.Options.mount;
import static ext4.itest.Options.strategy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.api.mount.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.BundleContext;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.util.tracker.ServiceTracker;

/** A mount lives by a file in a folder: it comes with the file, switches when the file is edited, ends with the file. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class FileInstallIT {
    private static final int WORKERS = MountCase.WORKERS;
    private static final int ROUNDS = MountCase.ROUNDS;
    private static final long IMAGE_BYTES = 64 << 20;

    @Inject
    private BundleContext context;

    @Inject
    private ConfigurationAdmin configurations;

    private ServiceTracker<Mount, Mount> mounts;
    private ConfigurationEvents events;

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    }

    private static Path folder() {
        return temporary().resolve("configurations");
    }

    private static String image(String name) {
        return temporary().resolve("by-file-" + name + ".img").toString();
    }

    @Configuration
    public Option[] parts() throws IOException {
        Files.createDirectories(folder());
        return options(
                base(),
                device(),
                journal(),
                core(),
                strategy("global"),
                strategy("sharded"),
                mount(),
                configurationFolder(folder()));
    }

    @Before
    public void track() throws IOException {
        events = new ConfigurationEvents(context, configurations);
        mounts = new ServiceTracker<>(context, Mount.class, null);
        mounts.open();
    }

    /** Whatever a test left, the next one starts without a mount and without a file. */
    @After
    public void removeFiles() throws Exception {
        for (String name : List.of("one", "two")) {
            if (Files.deleteIfExists(file(name))) {
                events.await(Mount.PID);
            }
        }
        MountCase.await("no mount", () -> mounts.size() == 0);
        mounts.close();
        events.close();
    }

    @Test
    public void aFileMountsAnEditSwitchesItsRemovalUnmounts() throws Exception {
        Outside.make(image("one"), IMAGE_BYTES);
        write("one", "orphan.strategy = global");
        Mount mount = await("one", Mount.State.MOUNTED);
        assertThat(mount.strategies().current()).isEqualTo("global");
        MixedLoad load = new MixedLoad(mount.fileSystem(), WORKERS);
        try (Busy busy = Busy.start(WORKERS, load)) {
            for (String to : List.of("sharded", "global", "sharded")) {
                busy.awaitRounds(ROUNDS);
                write("one", "orphan.strategy = " + to);
                MountCase.await(
                        "strategy " + to, () -> to.equals(mount.strategies().current()));
            }
            busy.awaitRounds(ROUNDS);
        }
        load.end();
        assertThat(mount.switches())
                .extracting(report -> report.from() + ">" + report.to())
                .containsExactly("global>sharded", "sharded>global", "global>sharded");
        Files.delete(file("one"));
        events.await(Mount.PID);
        assertThat(mount.ended().join()).isEqualTo(Mount.State.UNMOUNTED);
        assertThat(Outside.judge(image("one"))).isEmpty();
    }

    /** So what an operator switched stays switched at the next start. */
    @Test
    public void aSwitchByTheCommandIsWrittenIntoTheFile() throws Exception {
        Outside.make(image("one"), IMAGE_BYTES);
        write("one", "orphan.strategy = global");
        Mount mount = await("one", Mount.State.MOUNTED);
        mount.strategy("sharded");
        events.await(Mount.PID);
        assertThat(Files.readString(file("one"))).contains("orphan.strategy = sharded");
        assertThat(mount.strategies().current()).isEqualTo("sharded");
    }

    /** The reason is told, nobody else is touched, and the corrected file mounts. */
    @Test
    public void aBadFileMountsNothingAndACorrectedOneDoes() throws Exception {
        Outside.make(image("one"), IMAGE_BYTES);
        Outside.make(image("two"), IMAGE_BYTES);
        write("one", "orphan.strategy = sharded");
        Mount one = await("one", Mount.State.MOUNTED);
        try (Busy busy = Busy.start(1, new MixedLoad(one.fileSystem(), 1))) {
            write("two", "options = nosuchoption");
            assertThat(await("two", Mount.State.FAILED).failure()).contains("nosuchoption");
            write("two", "orphan.strategy = nosuch");
            MountCase.await("the unknown strategy", () -> failure("two").contains("nosuch"));
            busy.awaitRounds(ROUNDS);
            write("two", "orphan.strategy = global");
            assertThat(await("two", Mount.State.MOUNTED).strategies().current()).isEqualTo("global");
            busy.awaitRounds(ROUNDS);
        }
        assertThat(one.state()).isEqualTo(Mount.State.MOUNTED);
        assertThat(one.switches()).isEmpty();
    }

    /** What a file configures stays configured. */
    @Test
    public void anUnmountLeavesTheFileAndAnEditMountsAgain() throws Exception {
        Outside.make(image("one"), IMAGE_BYTES);
        write("one", "orphan.strategy = global");
        Mount mount = await("one", Mount.State.MOUNTED);
        mount.unmount();
        assertThat(mount.state()).isEqualTo(Mount.State.UNMOUNTED);
        assertThat(Outside.judge(image("one"))).isEmpty();
        assertThat(file("one")).exists();
        write("one", "orphan.strategy = sharded");
        assertThat(await("one", Mount.State.MOUNTED).strategies().current()).isEqualTo("sharded");
    }

    /** Writes the file as an editor does: beside it first, so that half a file is never read. */
    private void write(String name, String line) throws Exception {
        Path draft = temporary().resolve("draft-" + name);
        Files.writeString(draft, """
                image = %s
                mountpoint = /in-process/%s
                transport = none
                %s
                """.formatted(image(name), name, line));
        Files.move(draft, file(name), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        events.await(Mount.PID);
    }

    private static Path file(String name) {
        return folder().resolve("ext4.mount-" + name + ".cfg");
    }

    private Mount await(String name, Mount.State state) {
        MountCase.await(
                name + " " + state, () -> find(name) != null && find(name).state() == state);
        return find(name);
    }

    private String failure(String name) {
        Mount mount = find(name);
        return mount == null || mount.failure() == null ? "" : mount.failure();
    }

    private Mount find(String name) {
        return Arrays.stream(mounts.getServices(new Mount[0]))
                .filter(mount -> mount.image().equals(image(name)))
                .findFirst()
                .orElse(null);
    }
}
