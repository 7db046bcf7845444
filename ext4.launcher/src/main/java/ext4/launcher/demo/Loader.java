// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.demo;

import ext4.api.mount.MountException;
import ext4.control.socket.ControlClient;
import ext4.launcher.Failure;
import ext4.launcher.Home;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Runs the load: in a process of its own on a mount point, else inside the serving process. */
final class Loader {
    private final ControlClient control;
    /** Null if there is no mount point. */
    private final Path mountpoint;

    private final int directories;
    private final int files;

    Loader(ControlClient control, Path mountpoint, int directories, int files) {
        this.control = control;
        this.mountpoint = mountpoint;
        this.directories = directories;
        this.files = files;
    }

    /** Runs it below a new directory {@code name} and hands on what it tells. */
    void run(String name, Consumer<String> events) throws IOException, InterruptedException, MountException, Failure {
        if (mountpoint == null) {
            control.ask("load " + name + " " + directories + " " + files, events);
        } else {
            child(mountpoint.resolve(name), events);
        }
    }

    private void child(Path below, Consumer<String> events) throws IOException, InterruptedException, Failure {
        List<String> line = Home.java();
        line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        Path home = Home.directory();
        line.add(home.resolve("boot/ext4.launcher.jar") + ":" + home.resolve("lib/7/ext4.control.jar"));
        line.add(LoadMain.class.getName());
        line.addAll(List.of(below.toString(), Integer.toString(directories), Integer.toString(files)));
        Process process = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = process.inputReader()) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                events.accept(text);
            }
        }
        if (process.waitFor() != 0) {
            events.accept("failed the load ended with status " + process.exitValue());
        }
    }
}
