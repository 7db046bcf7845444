// SPDX-License-Identifier: Apache-2.0
package ext4.lab.kill;

import ext4.lab.soak.Commands;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** One mount, one load, one blow, and a look at what is left. */
final class Round {
    /** In which whatever ends or answers must have done so. */
    private static final long PATIENCE_SECONDS = 60;

    /** What a JVM ends with that SIGTERM told to: after its shutdown hooks, which unmount. */
    private static final int BY_SIGTERM = 143;

    private static final int WORKERS = 4;
    /** More, since each request that is under way takes heap. */
    private static final int HUNGRY_WORKERS = 24;

    private static final int BALLAST = 4 << 20;
    private static final int MOST_HELD = 100_000;

    private final Blow blow;
    private final Site site;
    private final Random random;
    private final List<String> wedged = new ArrayList<>();
    private final List<String> silent = new ArrayList<>();
    private PromiseLoad load;
    /** A command that the process has no descriptor for, or null. */
    private FutureTask<Commands.Result> starved;

    private String end = "";

    /** What a round showed: how it ended, and what was found. */
    record Result(
            String end,
            int promises,
            List<String> broken,
            List<String> wedged,
            List<String> silent,
            List<String> unclean) {
        boolean isGood() {
            return broken.isEmpty() && wedged.isEmpty() && silent.isEmpty() && unclean.isEmpty();
        }
    }

    Round(Blow blow, Site site, long seed) {
        this.blow = blow;
        this.site = site;
        random = new Random(seed);
    }

    Result run(String transport) throws IOException, InterruptedException {
        String strategy = random.nextBoolean() ? "sharded" : "global";
        String options = "orphan=" + strategy + ",transport=" + transport + (random.nextBoolean() ? ",commit=1" : "");
        if (blow == Blow.DISK) {
            Files.write(site.ballast(), new byte[BALLAST]);
        }
        Served served = Served.start(site, options, javaOptions());
        load = new PromiseLoad(site.mountpoint(), random.nextLong());
        load.start(blow == Blow.MEMORY ? HUNGRY_WORKERS : WORKERS);
        load.await(40 + random.nextInt(100), PATIENCE_SECONDS);
        strike(served);
        int hanging = load.stop(PATIENCE_SECONDS);
        if (hanging > 0) {
            wedged.add(hanging + " calls of the load do not return");
        }
        boolean unmounted = aftermath(served);
        Look look = new Look(site, load.promises());
        look.look(unmounted);
        return new Result(end, load.promises().size(), look.broken(), wedged, silent, look.unclean());
    }

    private String javaOptions() {
        return blow == Blow.MEMORY ? "-XX:+UseSerialGC -Xmx" + (8 + random.nextInt(4)) + "m" : null;
    }

    private void strike(Served served) throws IOException, InterruptedException {
        switch (blow) {
            case KILL -> served.kill();
            case TERM -> served.terminate();
            case MEMORY -> hoard(served);
            case DISK -> load.awaitErrors(20, PATIENCE_SECONDS);
            case FILE_SIZE -> {
                served.limit("fsize", Long.toString(Files.size(site.image()) / 8));
                load.awaitErrors(20, 10);
            }
            case FILES -> {
                served.limit("nofile", Long.toString(served.descriptors()));
                starved = new FutureTask<>(() -> served.command("status")); // which can't be answered now
                Thread.ofPlatform().daemon().start(starved);
                load.await(load.made() + 200, 10);
            }
            default -> throw new IllegalStateException(blow.word());
        }
    }

    /** Opens file after file, of each of which something stays in memory, until the process has ended. */
    private void hoard(Served served) throws IOException, InterruptedException {
        List<Channel> held = new ArrayList<>();
        try {
            while (served.alive() && held.size() < MOST_HELD) {
                Path file = site.mountpoint().resolve("held" + held.size());
                held.add(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
            }
        } catch (IOException e) {
            end = "the load: " + e.getMessage(); // as it must be when the process ends; what is lost, Look finds
        }
        served.awaitEnd(PATIENCE_SECONDS);
        for (Channel each : held) {
            each.close();
        }
    }

    /** What became of the process and of the mount point; whether it was unmounted in order. */
    private boolean aftermath(Served served) throws IOException, InterruptedException {
        boolean ended = blow.maySurvive() ? !served.alive() : served.awaitEnd(PATIENCE_SECONDS);
        if (!blow.maySurvive() && !ended) {
            wedged.add("the process goes on " + PATIENCE_SECONDS + " s after the signal");
            served.kill();
            served.awaitEnd(PATIENCE_SECONDS);
        }
        if (served.alive()) {
            return goesOn(served);
        }
        end = "ended with status " + served.status();
        if (blow != Blow.KILL && blow != Blow.TERM) {
            String line = lastLine("ext4: ", "OutOfMemoryError");
            if (line == null) {
                silent.add("the process ended with status " + served.status() + " and no line that says why:\n"
                        + site.logged());
            } else {
                end += ": " + line;
            }
        }
        if (Commands.isMounted(site.mountpoint())
                && Commands.run(List.of(
                                        Commands.find("umount"),
                                        site.mountpoint().toString()))
                                .status()
                        != 0) {
            wedged.add("the mount point can't be unmounted");
        }
        if (blow == Blow.TERM && served.status() != BY_SIGTERM) {
            silent.add("exit status " + served.status() + ", expected " + BY_SIGTERM + ":\n" + site.logged());
        }
        return blow == Blow.TERM;
    }

    private String lastLine(String... words) throws IOException {
        String found = null;
        for (String line : site.logged().split("\n")) {
            for (String word : words) {
                found = line.contains(word) ? line : found;
            }
        }
        return found;
    }

    private boolean goesOn(Served served) throws IOException, InterruptedException {
        boolean refuses = load.errors() > 0;
        end = "goes on" + (refuses ? ", " + load.errors() + " calls failed, the first: " + load.firstError() : "");
        if (blow == Blow.FILES && refuses) {
            silent.add("calls failed for want of descriptors: " + load.firstError());
        }
        if (refuses && lastLine(" ERROR ", " WARN ") == null) {
            silent.add("calls failed and the log says nothing; the first: " + load.firstError());
        }
        relieve(served);
        if (starved != null) {
            within("ext4 status, asked for while there was no descriptor", starved::get);
        }
        if (!answers()) {
            wedged.add("the mount does not answer");
            return false;
        }
        within("ext4 status", () -> served.command("status"));
        Commands.Result unmount = within("ext4 umount", () -> served.command("umount"));
        if (!served.awaitEnd(PATIENCE_SECONDS)) {
            wedged.add("the process goes on after the unmount: " + (unmount == null ? "" : unmount.output()));
            served.kill();
            served.awaitEnd(PATIENCE_SECONDS);
            return false;
        }
        return unmount != null && unmount.status() == 0 && !refuses;
    }

    /** There is enough again. */
    private void relieve(Served served) throws IOException, InterruptedException {
        switch (blow) {
            case DISK -> Files.delete(site.ballast());
            case FILE_SIZE -> served.limit("fsize", "unlimited");
            case FILES -> served.limit("nofile", "4096");
            default -> {} // nothing can be done
        }
    }

    private boolean answers() throws IOException, InterruptedException {
        Path directory = site.mountpoint();
        return within("a listing of the mount", () -> {
                    try (Stream<Path> names = Files.list(directory)) {
                        return names.count();
                    }
                })
                != null;
    }

    /** What the call returned, or null: then it did not return in time, or failed, which is noted. */
    private <T> T within(String what, java.util.concurrent.Callable<T> call) throws InterruptedException {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofPlatform().daemon().start(task);
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            wedged.add(what + " does not return");
        } catch (ExecutionException e) {
            wedged.add(what + ": " + e.getCause());
        }
        return null;
    }
}
