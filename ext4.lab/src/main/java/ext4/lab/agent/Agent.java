// SPDX-License-Identifier: Apache-2.0
package ext4.lab.agent;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeoutException;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;

/**
 * Obeys lines of standard input and answers each with lines on standard output, words set apart by tabs, the last one
 * {@code ok} or {@code no} with the reason. Its first line of all is the answer to coming up. At the end of its input it
 * stops the framework, which unmounts.
 *
 * <p>{@code update PART}, {@code renew PART}, {@code switch PART NAME}, {@code parts}, {@code sample}, {@code loaders}, {@code status},
 * {@code unmount}.
 */
final class Agent implements Runnable {
    private final BundleContext context;
    private final PrintStream out = output();
    private final Watch watch = new Watch();

    Agent(BundleContext context) {
        this.context = context;
    }

    private static PrintStream output() {
        return new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    }

    @Override
    public void run() {
        try {
            Swaps swaps = new Swaps(context, watch);
            Mount mount = swaps.awaitMounted();
            say("ok", mount.mountpoint());
            BufferedReader orders = new BufferedReader(
                    new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                answer(swaps, mount, order.split("\t"));
            }
        } catch (IOException | MountException | TimeoutException e) {
            say("no", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopFramework();
        }
    }

    private void answer(Swaps swaps, Mount mount, String[] words) throws InterruptedException {
        try {
            switch (words[0]) {
                case "update" -> reports(swaps, () -> swaps.update(SwapReport.Part.valueOf(words[1])));
                case "switch" -> reports(swaps, () -> swaps.change(SwapReport.Part.valueOf(words[1]), words[2]));
                case "renew" -> reports(swaps, () -> swaps.renew(SwapReport.Part.valueOf(words[1])));
                case "parts" ->
                    swaps.parts()
                            .forEach((part, choice) ->
                                    say("part", part.name(), choice.current(), String.join(",", choice.available())));
                case "sample" -> say(Sample.now().words());
                case "loaders" -> say("loaders", Integer.toString(watch.watched()), String.join(",", watch.stay()));
                case "status" -> mount.status().forEach((name, value) -> say("status", name, value));
                case "unmount" -> mount.unmount();
                default -> throw new MountException("there is no order " + words[0]);
            }
            say("ok");
        } catch (MountException | BundleException | TimeoutException | RuntimeException e) {
            say("no", e.toString());
        }
    }

    /** A swap that an operator makes. */
    @FunctionalInterface
    private interface Swap {
        void run() throws MountException, BundleException, TimeoutException, InterruptedException;
    }

    /** Tells what the mount says of it, also when it is refused, and from when to when it lasted. */
    private void reports(Swaps swaps, Swap swap)
            throws MountException, BundleException, TimeoutException, InterruptedException {
        swaps.newReports();
        long begin = System.nanoTime();
        try {
            swap.run();
        } finally {
            say("lasted", Long.toString(begin), Long.toString(System.nanoTime()));
            for (SwapReport report : swaps.newReports()) {
                say(
                        "report",
                        report.part().name(),
                        String.valueOf(report.from()),
                        String.valueOf(report.to()),
                        Long.toString(report.orphansCarried()),
                        Long.toString(report.pauseMicros()),
                        Long.toString(report.flushedBytes()));
            }
        }
    }

    private void say(String... words) {
        StringBuilder line = new StringBuilder();
        for (String word : words) {
            line.append(line.isEmpty() ? "" : "\t")
                    .append(word.replace('\t', ' ').replace('\n', ' '));
        }
        out.println(line);
    }

    private void stopFramework() {
        try {
            context.getBundle(0).stop();
        } catch (BundleException e) {
            say("no", e.toString());
        }
    }
}
