// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.bench.live.LiveCourse;
import ext4.bench.load.LiveLoad;
import ext4.bench.load.Place;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
                switch (words[0]) {
                    case "settle" -> place.settle();
                    case "live" -> live(workplace, place, words, answer);
                    default -> runs.run(place, words, answer);
                }
            }
            out.println(".");
        } catch (RuntimeException e) {
            out.println("!" + String.valueOf(e.getMessage()).replace('\n', ' '));
        }
        out.flush();
    }

    /** {@code live PLACE TASKS MILLIS STRATEGY,...} */
    private static void live(Workplace workplace, Place place, String[] words, Consumer<String> answer)
            throws InterruptedException {
        LiveLoad load = new LiveLoad(Integer.parseInt(words[2]), Integer.parseInt(words[3]));
        LiveLoad.Switcher switcher = strategy -> workplace.switchTo(words[1], strategy);
        LiveCourse.tell(load.run(place, switcher, List.of(words[4].split(","))), answer);
    }
}
