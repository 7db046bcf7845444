// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.format.fields.Field;
import ext4.format.fields.Fields;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Superblock;
import ext4.format.xattr.XattrArea;
import ext4.format.xattr.XattrBlock;
import ext4.format.xattr.XattrList;
import ext4.lab.fuzz.Part.Kind;
import java.util.ArrayList;
import java.util.List;

/** The extended attributes of an inode. */
final class XattrParts {
    private static final int MAGIC_BYTES = 4;

    private final Dissection image;
    private final Superblock sb;

    XattrParts(Dissection image) {
        this.image = image;
        sb = image.superblock();
    }

    void dissect(int ino, long pblk, byte[] b, int off) {
        XattrArea area = XattrArea.ofInode(off, sb.inodeSize(), InodeRecord.extraIsize(b, off, sb.inodeSize()));
        if (sb.inodeSize() > InodeRecord.BASE_SIZE && area.isPresent(b)) {
            int from = area.first() - MAGIC_BYTES;
            List<Field> fields = new ArrayList<>(Fields.XATTR_MAGIC);
            fields.addAll(entries(area, b, from));
            image.add(
                    Kind.XATTR,
                    "xattr " + ino,
                    pblk,
                    from,
                    off + sb.inodeSize() - from,
                    fields,
                    image.sealInode(ino, pblk, off));
        }
        long acl = InodeRecord.fileAcl(b, off);
        if (acl != 0) {
            block(ino, acl);
        }
    }

    private void block(int ino, long pblk) {
        byte[] b = image.read(pblk);
        List<Field> fields = new ArrayList<>(Fields.XATTR_HEADER);
        fields.addAll(entries(XattrArea.ofBlock(b.length), b, 0));
        image.add(Kind.XATTR, "xattrblock " + ino, pblk, 0, b.length, fields, canvas -> {
            if (sb.metadataCsum()) {
                XattrBlock.seal(canvas.block(pblk), pblk, sb.csumSeed());
            }
        });
    }

    private static List<Field> entries(XattrArea area, byte[] b, int from) {
        List<Field> fields = new ArrayList<>();
        int i = 0;
        for (int at = XattrList.first(area, b); at >= 0; at = XattrList.next(area, b, at)) {
            fields.addAll(Dissection.at(at - from, "e" + i++ + ".", Fields.XATTR_ENTRY));
        }
        return fields;
    }
}
