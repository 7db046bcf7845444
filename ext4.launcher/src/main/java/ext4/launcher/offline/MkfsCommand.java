// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CorruptException;
import ext4.core.info.Info;
import ext4.core.mkfs.Mkfs;
import ext4.core.mkfs.MkfsException;
import ext4.core.mkfs.MkfsOptions;
import ext4.device.FileBlockDeviceProvider;
import ext4.launcher.Failure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ext4 mkfs}: a new filesystem, in a new file or in place of what is there. */
@Command(name = "mkfs", description = "Makes an ext4 filesystem.", mixinStandardHelpOptions = true)
public final class MkfsCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "IMAGE", description = "Image file, made if missing, or block device.")
    private Path image;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = ByteSize.class,
            description = "Size of the image file, such as 1G; needed for a new one.")
    private Long size;

    @Option(names = "-b", paramLabel = "BYTES", description = "Block size: 1024, 2048 or 4096.")
    private int blockSize;

    @Option(names = "-O", paramLabel = "FEATURES", description = "Features to add, or with ^ to take away.")
    private String features = "";

    @Option(names = "-I", paramLabel = "BYTES", description = "Size of an inode record: 128, 256, ...")
    private Integer inodeSize;

    @Option(names = "-i", paramLabel = "BYTES", description = "One inode for so many bytes.")
    private int inodeRatio;

    @Option(names = "-m", paramLabel = "PERCENT", description = "Blocks that only root may use (5).")
    private Double reserved;

    @Option(names = "-L", paramLabel = "LABEL", description = "Volume name, at most 16 bytes.")
    private String label = "";

    @Option(
            names = "-J",
            paramLabel = "SIZE",
            converter = ByteSize.class,
            description = "Size of the journal, such as 64M.")
    private Long journal;

    @Option(
            names = "-E",
            paramLabel = "root_owner[=UID:GID]",
            description = "Who owns the root directory: root, else these, else who runs this.")
    private String extended;

    @Option(names = "-F", description = "Also in place of a filesystem that is there.")
    private boolean force;

    @Option(names = "-q", description = "Say nothing.")
    private boolean quiet;

    @Override
    public Integer call() throws Failure, IOException {
        MkfsOptions options = options();
        boolean isNew = !Files.exists(image);
        prepare(isNew);
        boolean made = false;
        try (BlockDevice device = new FileBlockDeviceProvider().open(image.toString(), false)) {
            PrintWriter progress = new PrintWriter(quiet ? Writer.nullWriter() : new PrintWriter(System.out));
            Mkfs.run(device, options.zeroed(isNew), progress);
            made = true;
        } catch (MkfsException e) {
            throw new Failure(image + ": " + e.getMessage());
        } finally {
            if (isNew && !made) {
                Files.deleteIfExists(image);
            }
        }
        return 0;
    }

    private MkfsOptions options() throws Failure, IOException {
        try {
            MkfsOptions options = new MkfsOptions()
                    .blockSize(blockSize)
                    .inodeRatio(inodeRatio)
                    .label(label)
                    .features(features);
            if (inodeSize != null) {
                options.inodeSize(inodeSize);
            }
            if (reserved != null) {
                options.reservedPercent(reserved);
            }
            if (journal != null) {
                options.journalBytes(journal);
            }
            if (extended != null) {
                RootOwner owner = RootOwner.of(extended);
                options.rootOwner(owner.uid(), owner.gid());
            }
            return options;
        } catch (MkfsException e) {
            throw new Failure(e.getMessage());
        }
    }

    /** Makes the file, or makes sure that what is there may go. */
    private void prepare(boolean isNew) throws Failure, IOException {
        if (isNew) {
            if (size == null) {
                throw new Failure(image + ": No such file or directory; with --size it is made");
            }
            Files.createFile(image);
        } else {
            refuseWhatIsInUse();
            if (size == null) {
                return;
            }
            if (!Files.isRegularFile(image)) {
                throw new Failure(image + ": --size is for image files");
            }
        }
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(size);
        } catch (IOException e) {
            if (isNew) {
                Files.deleteIfExists(image);
            }
            throw new Failure(image + ": " + e.getMessage());
        }
    }

    private void refuseWhatIsInUse() throws Failure {
        try (BlockDevice device = new FileBlockDeviceProvider().open(image.toString(), false)) {
            Info.print(device, new PrintWriter(Writer.nullWriter()));
        } catch (CorruptException noFilesystem) {
            return;
        }
        if (!force) {
            throw new Failure(image + ": holds an ext4 filesystem; -F makes a new one in its place");
        }
    }
}
