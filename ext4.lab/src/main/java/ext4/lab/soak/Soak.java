// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** One run. */
final class Soak {
    private static final long SHORTEST_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int LOOKS_A_RUN = 4;
    /** After so many failed calls the rest of the run tells nothing new. */
    private static final int ENOUGH = 200;

    /** Lines of the log that are worth telling. */
    private static final Pattern TROUBLE = Pattern.compile(" (WARN|ERROR) |Exception|^\\tat ");
    /** Each update of a bundle leaves its part missing for a moment, which the mount warns of. */
    private static final String EXPECTED = " is gone; ";

    private static final int LOG_LINES = 60;

    private final Settings settings;
    private final Cleanup cleanup;
    private final Ledger ledger;
    private final Ground ground;
    private final Growth growth = new Growth();
    private final List<LoadProcess> loads = new ArrayList<>();
    /** When the loads were at work, of {@link System#nanoTime}. */
    private long began;

    /** Both null where the kernel serves. */
    private Server server;

    private Swaps swaps;
    private KernelMount kernel;
    private int stayed;

    Soak(Settings settings, Cleanup cleanup, PrintStream out) throws IOException {
        this.settings = settings;
        this.cleanup = cleanup;
        ledger = new Ledger(out);
        ground = new Ground(cleanup, settings.medium(), settings.keep());
    }

    /** Whether all is as it must be. */
    boolean run() throws IOException, InterruptedException {
        ledger.say(String.format(
                Locale.ROOT,
                "soak of %.0f s, --seed %d, image of %s on %s, %s",
                settings.nanos() / 1e9,
                settings.seed(),
                settings.size(),
                ground.medium(),
                settings.kernel() ? "the kernel's ext4 on a loop device" : "transport " + settings.transport()));
        ground.mkfs(settings.size());
        Path root = settings.kernel() ? mountByTheKernel() : mount();
        for (String kind : settings.loads()) {
            loads.add(LoadProcess.start(ground, cleanup, ledger, kind, root, settings.seed() * 100 + loads.size()));
        }
        for (LoadProcess load : loads) {
            load.awaitReady();
        }
        began = System.nanoTime();
        work(began + settings.nanos());
        double seconds = seconds();
        loads.forEach(LoadProcess::stop);
        for (LoadProcess load : loads) {
            load.awaitEnd();
        }
        end();
        Judges judges = new Judges(ground, ledger);
        int e2fsck = judges.e2fsck();
        judges.kernel(loads);
        return tell(e2fsck, seconds);
    }

    private Path mount() throws IOException {
        Path mountpoint = ground.mountpoint("mnt");
        server = Server.start(ground, cleanup, mountpoint, settings.transport());
        swaps = new Swaps(server, ledger, settings.parts(), settings.seed());
        ledger.say("parts that are replaced, and what there is of each: " + swaps.text());
        return mountpoint;
    }

    private Path mountByTheKernel() throws IOException, InterruptedException {
        kernel = KernelMount.start(ground, "mnt", "rw,commit=1");
        return kernel.directory();
    }

    private void work(long end) throws IOException {
        Random random = new Random(settings.seed());
        long lookEach = Math.min(MINUTE_NANOS, settings.nanos() / LOOKS_A_RUN);
        long nextLook = System.nanoTime() + lookEach;
        long nextSwap = System.nanoTime() + SHORTEST_NANOS;
        try (Progress progress = new Progress()) {
            while (System.nanoTime() < end && ledger.failed() < ENOUGH) {
                if (server != null && System.nanoTime() >= nextSwap) {
                    swaps.any();
                    nextSwap = System.nanoTime() + random.nextLong(SHORTEST_NANOS, LONGEST_NANOS);
                }
                if (System.nanoTime() >= nextLook) {
                    look();
                    nextLook += lookEach;
                }
                progress.show(line(end));
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    private double seconds() {
        return (System.nanoTime() - began) / 1e9;
    }

    private void look() throws IOException {
        loads.forEach(LoadProcess::compare);
        if (server != null) {
            growth.add(seconds(), server.ask("sample").getFirst());
        }
    }

    private String line(long end) {
        long calls = loads.stream().mapToLong(LoadProcess::calls).sum();
        return String.format(
                Locale.ROOT,
                "%d s left, %d calls, %d failed, %d files differ, %s",
                TimeUnit.NANOSECONDS.toSeconds(end - System.nanoTime()),
                calls,
                ledger.failed(),
                ledger.differing(),
                swaps == null ? "no swaps" : swaps.made().size() + " swaps, " + swaps.refused() + " refused");
    }

    /** Looks for the last time and unmounts. */
    private void end() throws IOException, InterruptedException {
        if (kernel != null) {
            kernel.end();
            return;
        }
        growth.add(seconds(), server.ask("sample").getFirst());
        List<String> loaders = server.ask("loaders").getFirst();
        if (!loaders.getLast().isEmpty()) {
            stayed = loaders.getLast().split(",").length;
            ledger.say("LEAK: of " + loaders.get(1) + " class loaders of replaced bundles " + stayed + " stay: "
                    + loaders.getLast());
        } else {
            ledger.say("all " + loaders.get(1) + " class loaders of replaced bundles were collected");
        }
        server.ask("unmount");
        int status = server.end();
        if (status != 0) {
            ledger.failed("server", "(its end)", "", "status " + status, "status 0");
        }
        server.log()
                .lines()
                .filter(line -> TROUBLE.matcher(line).find() && !line.contains(EXPECTED))
                .limit(LOG_LINES)
                .forEach(line -> ledger.say("log of the serving process: " + line));
    }

    private boolean tell(int e2fsck, double seconds) {
        long calls = loads.stream().mapToLong(LoadProcess::calls).sum();
        StringBuilder each = new StringBuilder();
        loads.forEach(load -> each.append(each.isEmpty() ? "" : ", ")
                .append(load.kind())
                .append(' ')
                .append(load.calls()));
        ledger.say(String.format(Locale.ROOT, "%d calls in %.0f s: %s", calls, seconds, each));
        if (server != null) {
            ledger.say("");
            PauseTable.of(swaps.made(), ledger, ground.medium()).forEach(ledger::say);
            ledger.say("");
            growth.table().forEach(ledger::say);
            ledger.say("");
        }
        int made = swaps == null ? 0 : swaps.made().size();
        int refused = swaps == null ? 0 : swaps.refused();
        if (refused > 0) {
            ledger.say("swaps refused: " + refused);
        }
        ledger.say("failed calls: " + ledger.failed() + ", differing files: " + ledger.differing() + ", e2fsck: "
                + e2fsck + ", swaps: " + made);
        return ledger.failed() == 0
                && ledger.differing() == 0
                && e2fsck == 0
                && refused == 0
                && stayed == 0
                && !growth.grows();
    }
}
