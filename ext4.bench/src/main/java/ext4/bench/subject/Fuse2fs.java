// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The ext4 of e2fsprogs through FUSE. */
public final class Fuse2fs extends Mounted {
    private final boolean journal;
    private Process server;

    /** @param journal whether its image has one */
    public Fuse2fs(Ground ground, boolean journal) {
        super(Label.peer("fuse2fs"), ground);
        this.journal = journal;
    }

    @Override
    public void start() throws Unavailable, IOException, InterruptedException {
        String command = Commands.find("fuse2fs");
        String name = ground().name("fuse2fs");
        Path image = ground().image(name, journal);
        Path directory = prepare(name);
        Path log = ground().folder().resolve(name + ".log");
        List<String> line = List.of(command, "-f", "-o", "fakeroot", image.toString(), directory.toString());
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
