// SPDX-License-Identifier: Apache-2.0
package ext4.core.info;

import ext4.api.block.BlockDevice;
import ext4.format.FormatException;
import ext4.format.jbd2.BlockHeader;
import ext4.format.jbd2.JournalFeature;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.superblock.Feature;
import ext4.format.superblock.RawSuperblock;
import ext4.format.superblock.Superblock;
import java.util.ArrayList;
import java.util.List;

/** The journal's part of the text. A journal outside of the filesystem is not looked for. */
final class JournalText {
    private static final String[] INCOMPAT = {
        "journal_incompat_revoke",
        "journal_64bit",
        "journal_async_commit",
        "journal_checksum_v2",
        "journal_checksum_v3",
        "fast_commit"
    };

    private final BlockDevice device;
    private final RawSuperblock raw;
    private final Lines lines;

    JournalText(BlockDevice device, RawSuperblock raw, Lines lines) {
        this.device = device;
        this.raw = raw;
        this.lines = lines;
    }

    void print() throws FormatException {
        if (!raw.features().has(Feature.HAS_JOURNAL) || raw.journalIno() == 0) {
            return;
        }
        Superblock sb = Superblock.parse(raw.bytes(), 0);
        sb.checkDevice(device.size());
        byte[] block = new FirstBlock(device, sb).read(sb.journalIno());
        if (!BlockHeader.hasMagic(block, 0)) {
            throw new FormatException("journal superblock", 0, "h_magic", "another number", "0xC03B3998");
        }
        show(block);
    }

    private void show(byte[] jsb) {
        long length = Integer.toUnsignedLong(JournalSuperblock.maxLen(jsb));
        long kilobytes = length * (Integer.toUnsignedLong(JournalSuperblock.blockSize(jsb)) / 1024);
        long fastCommit = 0;
        if (raw.features().has(Feature.FAST_COMMIT)) {
            long stored = JournalSuperblock.storedFastCommitBlocks(jsb);
            fastCommit = stored == 0 ? JournalSuperblock.DEFAULT_FAST_COMMIT_BLOCKS : stored;
        }
        lines.text("Journal features:", Names.list(features(jsb)));
        lines.text("Total journal size:", kilobytes < 8192 ? kilobytes + "k" : (kilobytes >> 10) + "M");
        lines.number("Total journal blocks:", length);
        lines.number("Max transaction length:", length - fastCommit);
        lines.number("Fast commit length:", fastCommit);
        int first = JournalSuperblock.first(jsb);
        if (first != 1) {
            lines.number("Journal first block:", Integer.toUnsignedLong(first));
        }
        lines.hex("Journal sequence:", JournalSuperblock.sequence(jsb));
        lines.number("Journal start:", Integer.toUnsignedLong(JournalSuperblock.start(jsb)));
        if (JournalSuperblock.users(jsb) != 1) {
            lines.number("Journal number of users:", Integer.toUnsignedLong(JournalSuperblock.users(jsb)));
        }
        if ((JournalSuperblock.compat(jsb) & JournalFeature.COMPAT_CHECKSUM) != 0) {
            lines.text("Journal checksum type:", "crc32");
        }
        if (JournalSuperblock.hasChecksum(jsb)) {
            lines.text("Journal checksum type:", "crc32c");
            lines.hex("Journal checksum:", JournalSuperblock.storedChecksum(jsb));
        }
        if (JournalSuperblock.errno(jsb) != 0) {
            lines.text("Journal errno:", Integer.toString(JournalSuperblock.errno(jsb)));
        }
    }

    private static List<String> features(byte[] jsb) {
        List<String> names = new ArrayList<>();
        add(names, JournalSuperblock.compat(jsb), 'C', "journal_checksum");
        add(names, JournalSuperblock.incompat(jsb), 'I', INCOMPAT);
        add(names, JournalSuperblock.roCompat(jsb), 'R');
        return names;
    }

    private static void add(List<String> names, int bits, char set, String... known) {
        for (int left = bits; left != 0; left &= left - 1) {
            int bit = Integer.numberOfTrailingZeros(left);
            names.add(bit < known.length ? known[bit] : "FEATURE_" + set + bit);
        }
    }
}
