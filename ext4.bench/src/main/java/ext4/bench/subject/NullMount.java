// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import ext4.bench.nullfs.NullServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The null filesystem through a transport. */
public final class NullMount extends Mounted {
    private final String transport;
    private Process server;

    /** @param transport by name */
    public NullMount(Ground ground, String transport) {
        super(Label.peer("null " + transport), ground);
        this.transport = transport;
    }

    @Override
    public void start() throws Unavailable, IOException, InterruptedException {
        String name = ground().name("null");
        Path directory = prepare(name);
        Path log = ground().folder().resolve(name + ".log");
        List<String> line = JavaProcess.server(NullServer.class, List.of(directory.toString(), transport));
        server = Commands.start(ground().cleanup(), log, line);
        Commands.awaitMounted(server, directory, log);
    }

    @Override
    public boolean fast() {
        return false;
    }

    @Override
    Process server() {
        return server;
    }
}
