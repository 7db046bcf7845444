// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import ext4.api.mount.MountException;
import ext4.control.socket.ControlClient;
import ext4.control.socket.SocketPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** This filesystem mounted by {@code ext4 mount}, in the container that every mount runs in. */
public final class OwnMount extends Mounted {
    private final String transport;
    private final boolean journal;
    private Process server;
    private ControlClient control;

    /** @param transport by name */
    public OwnMount(Ground ground, String transport, String strategy, boolean alwaysRemove, boolean journal) {
        super(new Label("mount " + transport, strategy, alwaysRemove), ground);
        this.transport = transport;
        this.journal = journal;
    }

    @Override
    public void start() throws Unavailable, IOException, InterruptedException {
        String name = ground().name("own");
        Path image = ground().image(name, journal);
        Path directory = prepare(name);
        String options = "orphan=" + label().strategy() + ",commit=" + ground().commitSeconds()
                + (label().alwaysRemove() ? ",bench_always_remove_orphan" : "");
        Path run = SocketPath.runDirectory();
        SocketPath.prepare(run);
        Path log = ground().folder().resolve(name + ".log");
        server = Commands.start(
                ground().cleanup(),
                log,
                JavaProcess.command(List.of(
                        "mount",
                        "-f",
                        "-o",
                        options,
                        "--transport=" + transport,
                        "--",
                        image.toString(),
                        directory.toString())));
        Commands.awaitMounted(server, directory, log);
        control = new ControlClient(SocketPath.socket(run, directory.toString()));
        try {
            control.ask("wait");
        } catch (MountException e) {
            throw new Unavailable(e.getMessage());
        }
    }

    @Override
    public boolean fast() {
        return false;
    }

    @Override
    Process server() {
        return server;
    }

    @Override
    public OptionalLong orphanChanges() throws IOException {
        try {
            return orphanChanges(control.ask("status"));
        } catch (MountException e) {
            throw new IOException(e);
        }
    }
}
