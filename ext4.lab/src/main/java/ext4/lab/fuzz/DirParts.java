// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.format.dir.DirEntry;
import ext4.format.dir.DirTail;
import ext4.format.dir.DxNode;
import ext4.format.fields.Field;
import ext4.format.fields.Fields;
import ext4.format.superblock.Superblock;
import ext4.lab.fuzz.Part.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The blocks of a directory. */
final class DirParts {
    private static final int MOST_ENTRIES = 8;
    private static final int MOST_SLOTS = 10;
    private static final int SLOT = 8;

    private final Dissection image;
    private final Superblock sb;

    DirParts(Dissection image) {
        this.image = image;
        sb = image.superblock();
    }

    void dissect(int ino, Map<Long, Long> blocks, boolean indexed, FileParts.Seed seed) {
        blocks.forEach((lblk, pblk) -> {
            byte[] b = image.read(pblk);
            boolean index = indexed && (lblk == 0 || DxNode.isNode(b, sb.metadataCsum()));
            if (index) {
                int base = lblk == 0 ? DxNode.ROOT : DxNode.NODE;
                List<Field> fields = slots(b, base);
                fields.addAll(entries(b, lblk == 0 ? 2 : 1));
                image.add(Kind.INDEX, "index " + ino + "/" + lblk, pblk, 0, b.length, fields, canvas -> {
                    if (sb.metadataCsum()) {
                        DxNode.seal(canvas.block(pblk), base, seed.of(canvas));
                    }
                });
            } else {
                List<Field> fields = entries(b, MOST_ENTRIES);
                if (DirTail.isPresent(b)) {
                    fields.addAll(Dissection.at(b.length - DirTail.SIZE, "tail.", Fields.DIR_TAIL));
                }
                image.add(Kind.DIRECTORY, "dir " + ino + "/" + lblk, pblk, 0, b.length, fields, canvas -> {
                    if (sb.metadataCsum()) {
                        DirTail.seal(canvas.block(pblk), seed.of(canvas));
                    }
                });
            }
        });
    }

    private static List<Field> entries(byte[] b, int most) {
        List<Field> fields = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < most && at + DirEntry.MIN_SIZE <= b.length; i++) {
            fields.addAll(Dissection.at(at, "e" + i + ".", Fields.DIR_ENTRY));
            at += DirEntry.recLen(b, at);
        }
        return fields;
    }

    private static List<Field> slots(byte[] b, int base) {
        List<Field> fields = new ArrayList<>();
        if (base == DxNode.ROOT) {
            fields.addAll(Fields.INDEX_ROOT);
        }
        fields.addAll(Dissection.at(base, "", Fields.INDEX_COUNT));
        for (int i = 1; i < Math.min(MOST_SLOTS, DxNode.count(b, base)); i++) {
            fields.addAll(Dissection.at(base + SLOT * i, "s" + i + ".", Fields.INDEX_SLOT));
        }
        return fields;
    }
}
