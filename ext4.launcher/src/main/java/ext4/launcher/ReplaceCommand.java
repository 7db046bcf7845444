// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.fs.SwapReport;
import ext4.api.mount.MountException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ext4 replace}: replaces a part of a running mount. */
@Command(
        name = "replace",
        description = "Replaces a part of a mount while it is mounted; what uses it sees a short pause.",
        mixinStandardHelpOptions = true)
final class ReplaceCommand implements Callable<Integer> {
    /** What the parts are called. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(SwapReport.Part.values())
                    .map(SwapReport.Part::word)
                    .iterator();
        }
    }

    @Parameters(index = "0", paramLabel = "MOUNTPOINT", description = "Where it is mounted.")
    private String mountpoint;

    @Parameters(
            index = "1",
            paramLabel = "PART",
            completionCandidates = Words.class,
            description = "One of: ${COMPLETION-CANDIDATES}.")
    private String part;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "NAME",
            description = "What takes its place; default: the best that is there, also if it is the one at work.")
    private String name;

    @Override
    public Integer call() throws Failure, MountException, IOException {
        if (SwapReport.Part.of(part) == null) {
            throw new Failure("'" + part + "' is no part; the parts are " + SwapReport.Part.words());
        }
        if (name != null && !name.matches("[^\\s]+")) {
            throw new Failure("'" + name + "' is not the name of a part");
        }
        Places.control(mountpoint).ask("replace " + part + (name == null ? "" : " " + name), System.out::println);
        return 0;
    }
}
