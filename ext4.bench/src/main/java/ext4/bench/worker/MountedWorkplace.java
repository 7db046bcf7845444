// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.bench.load.MountedPlace;
import ext4.bench.load.Place;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Mount points, each named by its path. */
final class MountedWorkplace implements Workplace {
    @Override
    public Place place(String name) {
        return new MountedPlace(Path.of(name));
    }

    @Override
    public boolean own(String[] words, Consumer<String> answer) {
        return false;
    }

    @Override
    public void close() {}
}
