// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.format.fields.Field;
import ext4.format.fields.Fields;
import ext4.format.jbd2.BlockHeader;
import ext4.format.jbd2.CommitBlock;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import ext4.lab.fuzz.Part.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The journal: its superblock and the control blocks of its log. */
final class JournalParts {
    private static final int MOST_TAGS = 6;
    private static final int UUID = 16;

    private final Dissection image;

    JournalParts(Dissection image) {
        this.image = image;
    }

    void dissect(Map<Long, Long> blocks) {
        long first = blocks.get(0L);
        byte[] superblock = image.read(first);
        image.add(
                Kind.JOURNAL,
                "journal",
                first,
                0,
                JournalSuperblock.SIZE,
                Fields.JOURNAL_SUPERBLOCK,
                canvas -> JournalSuperblock.seal(canvas.block(first)));
        LogFormat format = LogFormat.of(superblock);
        blocks.forEach((lblk, pblk) -> {
            byte[] b = image.read(pblk);
            if (lblk > 0 && BlockHeader.hasMagic(b, 0)) {
                control(format, lblk, pblk, b);
            }
        });
    }

    private void control(LogFormat format, long lblk, long pblk, byte[] b) {
        List<Field> fields = new ArrayList<>(Fields.LOG_HEADER);
        Part.Seal seal = canvas -> format.sealTail(canvas.block(pblk));
        switch (BlockHeader.type(b)) {
            case BlockHeader.DESCRIPTOR -> fields.addAll(tags(format));
            case BlockHeader.REVOKE -> fields.addAll(Fields.LOG_REVOKE);
            case BlockHeader.COMMIT -> {
                fields.addAll(Fields.LOG_COMMIT);
                seal = canvas -> CommitBlock.seal(format, canvas.block(pblk));
            }
            default -> {}
        }
        image.add(Kind.LOG, "log " + lblk, pblk, 0, format.blockSize(), fields, seal);
    }

    private static List<Field> tags(LogFormat format) {
        List<Field> fields = new ArrayList<>();
        List<Field> tag = format.tagSize() == 16 ? Fields.LOG_TAG3 : Fields.LOG_TAG;
        int at = BlockHeader.SIZE;
        for (int i = 0; i < MOST_TAGS; i++) {
            fields.addAll(Dissection.at(at, "t" + i + ".", tag));
            at += format.tagSize() + (i == 0 ? UUID : 0);
        }
        return fields;
    }
}
