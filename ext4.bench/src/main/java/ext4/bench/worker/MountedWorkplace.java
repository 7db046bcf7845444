// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.api.mount.MountException;
import ext4.bench.load.FailedCall;
import ext4.bench.load.MountedPlace;
import ext4.bench.load.Place;
import ext4.control.socket.ControlClient;
import ext4.control.socket.SocketPath;
import java.io.IOException;
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

    /** Through the control socket of the mount, as the command does. */
    @Override
    public String switchTo(String place, String strategy) {
        Path socket = SocketPath.socket(SocketPath.runDirectory(), place);
        try {
            return new ControlClient(socket).ask("strategy " + strategy).getFirst();
        } catch (IOException | MountException e) {
            throw new FailedCall("strategy " + strategy, e.getMessage());
        }
    }

    @Override
    public void close() {}
}
