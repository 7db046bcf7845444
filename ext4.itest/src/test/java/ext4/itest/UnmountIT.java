// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.mount.Mount;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;

/** A mount ends by its configuration or with its bundle, and by nothing else; busy or not, its image is left clean. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class UnmountIT extends MountCase {
    /** Something ends the mount. */
    @FunctionalInterface
    private interface End {
        void run() throws Exception;
    }

    @Test
    public void byTheCommand() throws Exception {
        endUnderLoad(() -> mount.unmount());
        assertThat(configurations.listConfigurations("(service.factoryPid=" + Mount.PID + ")"))
                .isNull();
    }

    @Test
    public void byTheEndOfItsConfiguration() throws Exception {
        endUnderLoad(() -> {
            configuration.delete();
            mount.ended().join();
        });
    }

    @Test
    public void byTheStopOfTheMountBundle() throws Exception {
        Bundle bundle = bundleNamed("ext4.mount");
        endUnderLoad(bundle::stop);
        configuration.delete();
        bundle.start();
    }

    @Test
    public void whileShardedIsMissing() throws Exception {
        whileItIsMissing("sharded");
    }

    @Test
    public void whileGlobalIsMissing() throws Exception {
        whileItIsMissing("global");
    }

    /** Its orphans stand in the chain or in the orphan file, and no strategy is there to take them off. */
    private void whileItIsMissing(String name) throws Exception {
        mount.strategy(name);
        endUnderLoad(() -> {
            bundle(name).stop();
            awaitWaiting();
            mount.unmount();
        });
    }

    /** Neither does the end of what it is made of, or of who configured it. */
    @Test
    public void notByTheStopOfConfigurationAdmin() throws Exception {
        Bundle bundle = bundleNamed("org.apache.felix.configadmin");
        try (Busy busy = busy()) {
            bundle.stop();
            busy.awaitRounds(ROUNDS);
            bundle.start();
            busy.awaitRounds(ROUNDS);
            assertThat(mount.state()).isEqualTo(Mount.State.MOUNTED);
            mount.strategy("global");
            busy.awaitRounds(ROUNDS);
        }
    }

    /**
     * Ends the mount while workers use it and orphans are pinned. A call in flight succeeds or, as it came after the end,
     * says ENODEV.
     */
    private void endUnderLoad(End end) throws Exception {
        MixedLoad load = new MixedLoad(mount.fileSystem(), WORKERS);
        var told = ConcurrentHashMap.<Integer>newKeySet();
        try (Busy busy = Busy.start(WORKERS, worker -> {
            if (told.contains(worker)) {
                Thread.yield();
                return;
            }
            try {
                load.run(worker);
            } catch (ErrnoException e) {
                assertThat(e.errno()).isEqualTo(Errno.ENODEV);
                told.add(worker);
            }
        })) {
            busy.awaitRounds(ROUNDS);
            end.run();
            busy.awaitRounds(ROUNDS);
        }
        assertThat(told).as("workers that met the end").hasSize(WORKERS);
        assertThat(mount.state()).as(mount.failure()).isEqualTo(Mount.State.UNMOUNTED);
    }

    private Bundle bundleNamed(String name) {
        return Arrays.stream(context.getBundles())
                .filter(bundle -> name.equals(bundle.getSymbolicName()))
                .findFirst()
                .orElseThrow();
    }
}
