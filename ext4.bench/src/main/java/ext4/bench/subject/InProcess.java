// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** This filesystem through its verbs, without a transport, in a process of its own. */
public final class InProcess extends Subject {
    private final boolean journal;
    private final boolean direct;
    private Worker worker;

    /** @param direct without the gate of a mount */
    public InProcess(Ground ground, String strategy, boolean alwaysRemove, boolean journal, boolean direct) {
        super(new Label(Label.IN_PROCESS, strategy, alwaysRemove), ground);
        this.journal = journal;
        this.direct = direct;
    }

    @Override
    public void start() throws IOException {
        String name = ground().name("core");
        Path image = ground().image(name, journal);
        List<String> arguments = new ArrayList<>(
                List.of("core", image.toString(), label().strategy(), "commit=" + ground().commitSeconds()));
        if (label().alwaysRemove()) {
            arguments.add("always-remove");
        }
        if (direct) {
            arguments.add("direct");
        }
        worker = Worker.start(ground(), name, arguments);
    }

    /** A request that only a worker of this kind knows. */
    public List<String> request(String line) throws IOException {
        return ask(line);
    }

    @Override
    public boolean fast() {
        return true;
    }

    @Override
    Worker worker() {
        return worker;
    }

    @Override
    String place() {
        return "-";
    }

    @Override
    Process server() {
        return null;
    }

    @Override
    public OptionalLong orphanChanges() throws IOException {
        return orphanChanges(ask("status"));
    }
}
