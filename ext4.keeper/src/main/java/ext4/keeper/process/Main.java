// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.process;

import java.util.List;

/**
 * The keeper process. Its arguments are the command line of a server; its standard output, and theirs, is the mount's log.
 * Its exit status is that of the last server. Told to end, it has the server unmount first.
 */
public final class Main {
    /** Options of java(1) that keep it small: it does next to nothing, so nothing needs to be compiled. */
    public static final List<String> OPTIONS =
            List.of("-Xint", "-XX:+UseSerialGC", "-Xms2m", "-Xmx8m", "-Xss256k", "-XX:-UsePerfData");

    private Main() {}

    /** Runs until nothing is kept any more and the server has ended. */
    public static void main(String[] command) {
        Supervisor supervisor = new Supervisor(List.of(command), line -> System.err.println("ext4: keeper: " + line));
        Thread hook = new Thread(supervisor::end, "end");
        Runtime.getRuntime().addShutdownHook(hook);
        int status = supervisor.run();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return; // the hook itself waits for what has just come
        }
        System.exit(status);
    }
}
