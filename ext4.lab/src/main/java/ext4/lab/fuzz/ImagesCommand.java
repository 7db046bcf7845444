// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ext4 lab images}. */
@Command(
        name = "images",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Mounts each NAME.img.gz of a folder read-only and compares with what the kernel did with it, which stands in",
            "the folder's expected.csv (columns test, kernel_ro, kernel_tree, kernel_ro_on_ro_device, kernel_ro_noload).",
            "Exit status 0 if nothing differs without a reason.",
        })
public final class ImagesCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "FOLDER", description = "With the images and expected.csv.")
    private Path folder;

    @Option(names = "--all", description = "Tell of images without a difference too.")
    private boolean all;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Path csv = folder.resolve("expected.csv");
        if (!Files.isReadable(csv)) {
            throw new ParameterException(spec.commandLine(), "there is no expected.csv in " + folder);
        }
        return compare(folder, all, System.out) ? 0 : 1;
    }

    /** Compares all; whether every difference has its reason. */
    static boolean compare(Path folder, boolean all, PrintStream out) throws IOException {
        List<Map<String, String>> rows = Csv.read(folder.resolve("expected.csv"));
        Map<String, String> reasons = Reasons.all();
        int same = 0;
        int explained = 0;
        int differing = 0;
        try (LogWatch quiet = new LogWatch()) {
            for (Map<String, String> row : rows) {
                String name = row.get("test");
                KernelImage image = new KernelImage(folder.resolve(name + ".img.gz"), row);
                String difference = image.difference();
                if (difference == null) {
                    same++;
                    if (all) {
                        out.println(name + ": the same: " + image.summary());
                    }
                    continue;
                }
                String reason = image.unsupported() != null ? image.unsupported() : reasons.get(name);
                explained += reason != null ? 1 : 0;
                differing += reason == null ? 1 : 0;
                out.println(name + ": " + difference);
                out.println("    " + (reason == null ? "WITHOUT A REASON" : "because " + reason));
            }
            for (String foreign = quiet.next(); foreign != null; foreign = quiet.next()) {
                out.println("foreign exception: " + foreign);
                differing++;
            }
        }
        out.printf(
                "images: %d, the same as the kernel: %d, differing for a reason: %d, without: %d%n",
                rows.size(), same, explained, differing);
        return differing == 0;
    }
}
