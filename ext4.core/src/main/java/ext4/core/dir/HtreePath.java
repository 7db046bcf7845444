// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.format.FormatException;
import ext4.format.dir.DxNode;
import ext4.format.dir.DxRoot;
import ext4.format.hash.NameHash;

/**
 * A place in the index of a directory: a slot of the root, a slot of the node below it if there is a level of nodes, and
 * the leaf that they lead to. {@link #seek} goes to the first leaf that can hold a hash, {@link #next} to the leaf after
 * it.
 *
 * <p>Each step checks what it follows in constant time: limit and count of a node, and that a child is a block of the
 * directory. Levels are bounded, and {@link #next} only moves up through the slots, so every walk ends. For one thread;
 * good until the directory changes.
 */
final class HtreePath {
    /** What {@link #nextHash} returns behind the last slot: above every hash. */
    static final long END = 1L << 32;

    private static final int ROOT_LBLK = 0;

    private final DirFile dir;
    private final int blocks;
    private final NameHash nameHash;
    private byte[] root;
    private int rootSlot;
    private byte[] node;
    private int nodeLblk;
    private int nodeSlot;

    private HtreePath(DirFile dir, byte[] root, NameHash nameHash) {
        this.dir = dir;
        this.blocks = dir.blocks();
        this.root = root;
        this.nameHash = nameHash;
    }

    /** Whether the directory is to be read by its index: the flag counts only with the feature. */
    static boolean applies(DirFile dir) {
        return dir.indexFlag() && dir.format().dirIndex();
    }

    /** Reads the root. */
    static HtreePath open(DirFile dir) throws BadIndexException {
        byte[] root = dir.read(ROOT_LBLK);
        try {
            DxRoot.checkHeader(root, false);
            DxNode.checkSlots(root, DxNode.ROOT, dir.format().metadataCsum(), ROOT_LBLK);
        } catch (FormatException e) {
            throw new BadIndexException(BadDirectory.of(dir, e));
        }
        NameHash nameHash = dir.format().hash(DxRoot.hashVersion(root));
        if (nameHash == null) {
            throw BadIndexException.of(dir, ROOT_LBLK, "hash_version", DxRoot.hashVersion(root), "0 to 2");
        }
        return new HtreePath(dir, root, nameHash);
    }

    /** The hash of this directory. */
    NameHash nameHash() {
        return nameHash;
    }

    /** Goes to the first leaf that can hold names of {@code hash}, a major hash. */
    void seek(int hash) throws BadIndexException {
        rootSlot = DxNode.search(root, DxNode.ROOT, hash);
        if (hasNodes()) {
            loadNode();
            nodeSlot = DxNode.search(node, DxNode.NODE, hash);
        }
    }

    /** The leaf that the path leads to. */
    int leaf() throws BadIndexException {
        return hasNodes()
                ? child(node, DxNode.NODE, nodeSlot, nodeLblk)
                : child(root, DxNode.ROOT, rootSlot, ROOT_LBLK);
    }

    /** The hash that the current leaf begins with, bit 0 set if it continues the one before; 0 for the first leaf. */
    long hash() {
        int hash = hasNodes() && nodeSlot > 0
                ? DxNode.hash(node, DxNode.NODE, nodeSlot)
                : DxNode.hash(root, DxNode.ROOT, rootSlot);
        return Integer.toUnsignedLong(hash);
    }

    /** As {@link #hash()}, of the leaf after this one; {@link #END} if this is the last. */
    long nextHash() {
        if (hasNodes() && nodeSlot + 1 < DxNode.count(node, DxNode.NODE)) {
            return Integer.toUnsignedLong(DxNode.hash(node, DxNode.NODE, nodeSlot + 1));
        }
        if (rootSlot + 1 < DxNode.count(root, DxNode.ROOT)) {
            return Integer.toUnsignedLong(DxNode.hash(root, DxNode.ROOT, rootSlot + 1));
        }
        return END;
    }

    /** Goes to the leaf after this one; false, staying, if this is the last. */
    boolean next() throws BadIndexException {
        if (hasNodes() && nodeSlot + 1 < DxNode.count(node, DxNode.NODE)) {
            nodeSlot++;
            return true;
        }
        if (rootSlot + 1 >= DxNode.count(root, DxNode.ROOT)) {
            return false;
        }
        rootSlot++;
        if (hasNodes()) {
            loadNode();
            nodeSlot = 0;
        }
        return true;
    }

    /** Whether there is a level of nodes between root and leaves. */
    boolean hasNodes() {
        return DxRoot.levels(root) > 0;
    }

    /** Block of the node that holds the slots of leaves: the root's if there is no level of nodes. */
    int bottomLblk() {
        return hasNodes() ? nodeLblk : ROOT_LBLK;
    }

    /** Where the slots begin in {@link #bottomLblk}. */
    int bottomBase() {
        return hasNodes() ? DxNode.NODE : DxNode.ROOT;
    }

    /** The slot of {@link #bottomLblk} that leads to the leaf. */
    int bottomSlot() {
        return hasNodes() ? nodeSlot : rootSlot;
    }

    /** Whether {@link #bottomLblk} can't take another slot. */
    boolean bottomFull() {
        return hasNodes() ? DxNode.isFull(node, DxNode.NODE) : DxNode.isFull(root, DxNode.ROOT);
    }

    /** Whether the root can't take another slot. */
    boolean rootFull() {
        return DxNode.isFull(root, DxNode.ROOT);
    }

    /** The slot of the root on the path. */
    int rootSlot() {
        return rootSlot;
    }

    /** Checks every slot of the nodes on the path, as is due before the index is changed. */
    void validate() throws BadIndexException {
        boolean csum = dir.format().metadataCsum();
        try {
            DxRoot.validate(root, csum, false, blocks);
            if (hasNodes()) {
                DxNode.validate(node, csum, blocks, nodeLblk);
            }
        } catch (FormatException e) {
            throw new BadIndexException(BadDirectory.of(dir, e));
        }
    }

    private void loadNode() throws BadIndexException {
        nodeLblk = child(root, DxNode.ROOT, rootSlot, ROOT_LBLK);
        node = dir.read(nodeLblk);
        boolean csum = dir.format().metadataCsum();
        if (!DxNode.isNode(node, csum)) {
            throw new BadIndexException(
                    BadDirectory.of(dir, nodeLblk, "index node", "bytes", "no index node", "an index node"));
        }
    }

    private int child(byte[] b, int base, int slot, int lblk) throws BadIndexException {
        int child = DxNode.child(b, base, slot);
        if (child == ROOT_LBLK || child >= blocks || child == lblk) {
            throw BadIndexException.of(
                    dir, lblk, "block of slot " + slot, child, "another block, 1 to " + (blocks - 1));
        }
        return child;
    }

    /** The bytes of the leaf on the path. */
    byte[] leafBytes() throws BadIndexException {
        int lblk = leaf();
        byte[] b = dir.read(lblk);
        if (DxNode.isNode(b, dir.format().metadataCsum())) {
            throw new BadIndexException(
                    BadDirectory.of(dir, lblk, "directory leaf", "bytes", "an index node", "entries"));
        }
        return b;
    }
}
