// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.mount.MountException;
import ext4.control.socket.ControlClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ext4 restart}: another process serves the mount from then on, and no call fails. */
@Command(
        name = "restart",
        description = "Replaces the process that serves a mount, while it is mounted; it was mounted with -o keep.",
        mixinStandardHelpOptions = true)
final class RestartCommand implements Callable<Integer> {
    /** How long the process before may take to end. */
    private static final long END_SECONDS = 60;

    private static final long LOOK_AGAIN_MILLIS = 20;
    private static final String PAUSE = "last restart: ";

    @Parameters(index = "0", paramLabel = "MOUNTPOINT", description = "Where it is mounted.")
    private String mountpoint;

    @Override
    public Integer call() throws Failure, MountException, IOException, InterruptedException {
        ControlClient control = Places.control(mountpoint);
        List<String> before = control.ask("wait");
        control.ask("restart");
        awaitEnd(Long.parseLong(before.getFirst()));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        while (!control.answers()) {
            if (System.nanoTime() > deadline) {
                throw new Failure(mountpoint + ": restarted, but the new process does not answer");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        }
        String after = control.ask("wait").getFirst();
        String pause = control.ask("status").stream()
                .filter(line -> line.startsWith(PAUSE))
                .map(line -> line.substring(PAUSE.length()))
                .findFirst()
                .orElse("");
        System.out.println("process " + before.getFirst() + " -> " + after + ": " + pause);
        return 0;
    }

    private void awaitEnd(long pid) throws Failure, InterruptedException {
        ProcessHandle old = ProcessHandle.of(pid).orElse(null);
        if (old == null) {
            return;
        }
        try {
            old.onExit().get(END_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new Failure(mountpoint + ": restarted, but the process before, " + pid + ", does not end");
        }
    }
}
