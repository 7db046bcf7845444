// SPDX-License-Identifier: Apache-2.0
package ext4.shell;

import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The mounts that are configured, whether they came up or not. Any thread. */
final class Mounts {
    /** Guarded by this. */
    private final List<Known> known = new ArrayList<>();

    /** A service came or its properties changed. */
    synchronized void put(Known one) {
        known.removeIf(other -> other.mount().equals(one.mount()));
        known.add(one);
        notifyAll();
    }

    /** A service went. */
    synchronized void remove(Mount mount) {
        known.removeIf(other -> other.mount().equals(mount));
    }

    /** All of them, by mount point. */
    synchronized List<Known> list() {
        return known.stream()
                .sorted(Comparator.comparing((Known one) -> one.mount().mountpoint())
                        .thenComparing(Known::name))
                .toList();
    }

    /** The service of that configuration, waited for. */
    synchronized Mount await(String pid, long seconds) throws MountException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            for (Known one : known) {
                if (one.pid().equals(pid)) {
                    return one.mount();
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new MountException("nobody mounts what is configured; is ext4.mount started?");
            }
            wait(left);
        }
    }

    /** What is mounted on {@code directory}; of several configurations the one that is up. */
    Mount at(Path directory, String given) throws MountException {
        Path normal = directory.toAbsolutePath().normalize();
        Path real = real(normal);
        Mount found = null;
        for (Known one : list()) {
            String mountpoint = one.mount().mountpoint();
            boolean here = mountpoint.equals(normal.toString()) || mountpoint.equals(real.toString());
            if (here && (found == null || one.mount().state() == Mount.State.MOUNTED)) {
                found = one.mount();
            }
        }
        if (found == null) {
            throw new MountException(given + ": no mount of this container; ext4:mounts lists them");
        }
        return found;
    }

    /** Without symbolic links above it; the directory itself isn't looked at, its server may be stuck. */
    private static Path real(Path directory) {
        try {
            return directory.getParent() == null
                    ? directory
                    : directory.getParent().toRealPath().resolve(directory.getFileName());
        } catch (IOException e) {
            return directory;
        }
    }
}
