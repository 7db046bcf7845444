// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.bench.load.Place;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Carries out runs that its parent asks for on standard input, a line each, until that ends. An answer is lines with a
 * space before and a line {@code .}, or one line {@code !REASON}.
 *
 * <p>{@code WorkerMain mounted} works on directories through system calls; {@code WorkerMain core IMAGE STRATEGY OPTION...}
 * on an image in this process.
 */
public final class WorkerMain {
    private WorkerMain() {}

    /** See the class. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (Workplace workplace = args[0].equals("core") ? CoreWorkplace.open(args) : new MountedWorkplace()) {
            BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            Runs runs = new Runs();
            System.out.println("ready");
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                answer(workplace, runs, line.split(" "), System.out);
            }
        }
    }

    private static void answer(Workplace workplace, Runs runs, String[] words, PrintStream out)
            throws InterruptedException {
        Consumer<String> answer = line -> out.println(" " + line);
        try {
            if (!workplace.own(words, answer)) {
                Place place = workplace.place(words[1]);
                if (words[0].equals("settle")) {
                    place.settle();
                } else {
                    runs.run(place, words, answer);
                }
            }
            out.println(".");
        } catch (RuntimeException e) {
            out.println("!" + String.valueOf(e.getMessage()).replace('\n', ' '));
        }
        out.flush();
    }
}
