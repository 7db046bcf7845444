// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.osgi.framework.Constants;
import picocli.CommandLine.Command;

/** {@code ext4 bundles}: what this installation consists of, for those who start it in a framework of their own. */
@Command(
        name = "bundles",
        description = "Lists the bundles of this installation with their versions and start levels.",
        mixinStandardHelpOptions = true)
final class BundlesCommand implements Callable<Integer> {
    private record Row(int level, String name, String version, Path file) {}

    @Override
    public Integer call() throws Failure, IOException {
        Path home = Home.directory();
        List<Row> rows = new ArrayList<>();
        try (Stream<Path> jars = Files.find(home.resolve("lib"), 2, (file, is) -> is.isRegularFile())) {
            for (Path jar : jars.toList()) {
                rows.add(row(home, jar));
            }
        }
        rows.sort(Comparator.comparingInt(Row::level).thenComparing(Row::name));
        System.out.println("# start level, symbolic name, version, file. A mount needs those up to level 7;"
                + " 8 to 10 are the shell and the folders of ext4 run.");
        for (Row row : rows) {
            System.out.printf("%-2d %-47s %-22s %s%n", row.level(), row.name(), row.version(), row.file());
        }
        return 0;
    }

    private static Row row(Path home, Path jar) throws Failure, IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Attributes headers = file.getManifest() == null
                    ? new Attributes()
                    : file.getManifest().getMainAttributes();
            String name = headers.getValue(Constants.BUNDLE_SYMBOLICNAME);
            if (name == null) {
                throw new Failure(jar + ": not a bundle");
            }
            return new Row(
                    Integer.parseInt(jar.getParent().getFileName().toString()),
                    name.split(";")[0].strip(),
                    headers.getValue(Constants.BUNDLE_VERSION),
                    home.relativize(jar));
        }
    }
}
