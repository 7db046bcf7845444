// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import ext4.api.block.BlockDevice;
import ext4.api.journal.Handle;
import ext4.api.journal.JournalHost;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Tool;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The journal of a real image, found by dumpe2fs and debugfs. */
final class ImageHost implements JournalHost {
    private final BlockDevice device;
    private final int blockSize;
    private final long blocksCount;
    private final boolean wide;
    private final boolean checksums;
    private final long[] log;

    ImageHost(Path image, BlockDevice device) {
        this.device = device;
        String header = Tool.run("dumpe2fs", "-h", image).output();
        blockSize = Integer.parseInt(field(header, "Block size"));
        blocksCount = Long.parseLong(field(header, "Block count"));
        String features = field(header, "Filesystem features");
        wide = features.contains("64bit");
        checksums = features.contains("metadata_csum");
        log = fileBlocks(image, "<8>");
    }

    /** The same journal on another device. */
    ImageHost(ImageHost like, BlockDevice device) {
        this.device = device;
        this.blockSize = like.blockSize;
        this.blocksCount = like.blocksCount;
        this.wide = like.wide;
        this.checksums = like.checksums;
        this.log = like.log;
    }

    /** All blocks of a file, by debugfs. */
    static long[] fileBlocks(Path image, String file) {
        Matcher numbers = Pattern.compile("\\b\\d+\\b")
                .matcher(E2fsprogs.debugfs(image, false, "blocks " + file).replaceAll("debugfs.*", ""));
        return numbers.results()
                .mapToLong(found -> Long.parseLong(found.group()))
                .toArray();
    }

    private static String field(String text, String name) {
        Matcher found =
                Pattern.compile("^" + name + ":\\s*(.*)$", Pattern.MULTILINE).matcher(text);
        if (!found.find()) {
            throw new AssertionError("no " + name + " in " + text);
        }
        return found.group(1);
    }

    /** Zeroes what need not be equal after two recoveries: the journal, and the primary superblock. */
    byte[] withoutJournal(byte[] image) {
        byte[] rest = image.clone();
        Arrays.fill(rest, 1024, 2048, (byte) 0);
        for (long pblk : log) {
            Arrays.fill(rest, (int) pblk * blockSize, (int) (pblk + 1) * blockSize, (byte) 0);
        }
        return rest;
    }

    @Override
    public BlockDevice device() {
        return device;
    }

    @Override
    public int blockSize() {
        return blockSize;
    }

    @Override
    public long blocksCount() {
        return blocksCount;
    }

    @Override
    public int logLength() {
        return log.length;
    }

    @Override
    public long logBlock(int lblk) {
        return log[lblk];
    }

    @Override
    public boolean wideBlockNumbers() {
        return wide;
    }

    @Override
    public boolean metadataChecksums() {
        return checksums;
    }

    @Override
    public void closing(Handle handle) {}

    @Override
    public void committed(long tid) {}

    @Override
    public void aborted(Throwable cause) {}
}
