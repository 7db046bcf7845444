// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.image.Copier;
import ext4.image.Copying;
import ext4.image.Endpoint;
import ext4.image.Ext4Image;
import ext4.image.FileType;
import ext4.image.ImageOptions;
import ext4.launcher.Failure;
import ext4.sys.TreeCalls;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ext4 cp}: copies between the host and images, between and within images. */
@Command(
        name = "cp",
        description = "Copies files and trees into images, out of them, and between them.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A file in an image is IMAGE:PATH. Without -a what is made belongs to you and its permissions are",
            "the source's less the umask. With -a owners, modes, times, extended attributes and hard links are",
            "kept, as far as you may set them on the host. Holes are kept always. An existing file is replaced,",
            "an existing directory merged with."
        })
public final class CopyCommand implements Callable<Integer> {
    private static final int STANDARD_ERROR = 2;
    private static final int INTERRUPTED = 130;

    @Parameters(index = "0", paramLabel = "SRC", description = "What to copy.")
    private String first;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "DST", description = "More to copy; the last is where to.")
    private List<String> words;

    @Option(
            names = {"-r", "-R"},
            description = "Directories too, links as links.")
    private boolean recursive;

    @Option(names = "-a", description = "Directories too, and all attributes.")
    private boolean archive;

    private final Output output = new Output("cp");
    private final Map<Path, Ext4Image> images = new LinkedHashMap<>(); // guarded by this

    @Override
    public Integer call() throws IOException, Failure {
        List<Operand> operands = new ArrayList<>();
        operands.add(Operand.of(first));
        for (String word : words) {
            operands.add(Operand.of(word));
        }
        Operand target = operands.removeLast();
        if (!target.isInImage()) {
            for (Operand source : operands) {
                if (!source.isInImage()) {
                    throw new Failure("neither " + source.path() + " nor " + target.path() + " is IMAGE:PATH");
                }
            }
        }
        Thread closing = new Thread(this::close, "ext4-cp-close");
        Runtime.getRuntime().addShutdownHook(closing);
        try {
            copy(operands, target);
        } catch (ClosedFileSystemException e) {
            return INTERRUPTED; // the hook has closed the images; the process ends when it is through
        } finally {
            close();
            forget(closing);
        }
        return output.finish();
    }

    private void copy(List<Operand> sources, Operand target) throws IOException, Failure {
        Endpoint to = endpoint(target, true);
        boolean into = to.type() == FileType.DIRECTORY;
        if (!into && (sources.size() > 1 || target.path().endsWith("/") && !recursive && !archive)) {
            throw new Failure(to + ": not a directory");
        }
        Progress progress = new Progress(output, isTerminal());
        try (Copier copier = new Copier(how(), progress)) {
            for (Operand source : sources) {
                Endpoint from = endpoint(source, false);
                boolean named = into && !from.name().isEmpty();
                try {
                    copier.copy(from, named ? to.child(from.name()) : to);
                } catch (NoSuchFileException
                        | NotDirectoryException
                        | FileSystemLoopException
                        | AccessDeniedException e) {
                    progress.failed(e);
                }
            }
        } catch (FileSystemException e) {
            progress.failed(e);
        } finally {
            progress.clear();
        }
    }

    private Copying how() throws IOException {
        if (archive) {
            return Copying.ARCHIVE;
        }
        Copying copying = recursive ? Copying.RECURSIVE : Copying.FILE;
        return copying.withUmask(umask());
    }

    private Endpoint endpoint(Operand operand, boolean write) throws IOException {
        return operand.isInImage()
                ? Endpoint.image(image(operand.image(), write), operand.path())
                : Endpoint.host(operand.path());
    }

    /** An image is opened once; the target, which is written, comes first. */
    private synchronized Ext4Image image(Path path, boolean write) throws IOException {
        Path real = path.toRealPath();
        Ext4Image open = images.get(real);
        if (open == null) {
            open = Ext4Image.open(path, options(write));
            images.put(real, open);
        }
        return open;
    }

    private static ImageOptions options(boolean write) throws IOException {
        if (!write) {
            return ImageOptions.READ_ONLY;
        }
        Path self = Path.of("/proc/self");
        return ImageOptions.READ_WRITE.withOwner(
                (int) Files.getAttribute(self, "unix:uid"), (int) Files.getAttribute(self, "unix:gid"));
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // it is at work
        }
    }

    /** Every image is closed, at the end or when the process is told to end; what one says then fails the command. */
    private synchronized void close() {
        for (Ext4Image image : images.values()) {
            try {
                image.close();
            } catch (IOException e) {
                output.trouble(e, 1);
            }
        }
    }

    private static boolean isTerminal() {
        try (TreeCalls calls = new TreeCalls()) {
            return calls.isTerminal(STANDARD_ERROR);
        }
    }

    private static int umask() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("Umask:")) {
                return Integer.parseInt(line.substring(6).strip(), 8);
            }
        }
        return 022;
    }
}
