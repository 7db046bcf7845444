// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.lab.fault.FileNode.Type;
import ext4.lab.fault.FileNode.Version;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Steps of the workload that change what files hold. A call that fails may have been done in part. */
final class ContentSteps {
    private static final int BLOCK = 1024;
    private static final int LONGEST = 24_000;

    private final Load load;

    ContentSteps(Load load) {
        this.load = load;
    }

    /** @param pick from 0 to 32 */
    void step(int pick) {
        String path = load.anyPath(Type.FILE);
        if (path == null) {
            return;
        }
        FileNode node = load.model.at(path);
        load.withInode(path, ino -> {
            if (pick < 15) {
                int size = node.now().content().length;
                int offset = pick < 7 ? size : load.random.nextInt(Math.min(size + 3000, LONGEST));
                write(node, ino, Math.min(offset, LONGEST), load.bytes(1 + load.random.nextInt(7000)));
            } else if (pick < 20) {
                truncate(node, ino, load.random.nextInt(Math.max(1, node.now().content().length * 3 / 2)));
            } else if (pick < 25) {
                range(node, ino, pick);
            } else if (pick < 31) {
                attribute(node, ino);
            } else {
                mode(node, ino);
            }
        });
    }

    /** Whether the call succeeded; else the file may be either. */
    private boolean change(FileNode node, Version after, Runnable call) {
        try {
            call.run();
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENODATA && e.errno() != Errno.ESTALE) {
                unsure(node, after);
            }
            return false;
        } catch (Ext4Exception e) {
            unsure(node, after);
            return false;
        }
        node.becomes(after);
        return true;
    }

    private static void unsure(FileNode node, Version after) {
        node.may(after);
        node.unsure = true;
    }

    /** Writes, all of it or what fits. */
    void write(FileNode node, int ino, int offset, byte[] data) {
        if (data.length == 0) {
            return;
        }
        byte[] old = node.now().content();
        byte[] all = Arrays.copyOf(old, Math.max(old.length, offset + data.length));
        System.arraycopy(data, 0, all, offset, data.length);
        ByteBuffer source = ByteBuffer.wrap(data);
        try {
            int count = load.fs.write(Credentials.ROOT, ino, offset, source, 0);
            byte[] done = Arrays.copyOf(old, Math.max(old.length, offset + count));
            System.arraycopy(data, 0, done, offset, count);
            node.becomes(new Version(done, node.now().attribute()));
        } catch (Ext4Exception e) {
            unsure(node, new Version(all, node.now().attribute()));
        }
    }

    private void truncate(FileNode node, int ino, int size) {
        byte[] old = node.now().content();
        byte[] zeroed = old.clone();
        if (size < old.length) {
            // the rest of its block is cleared on the device before the size is
            Arrays.fill(zeroed, size, Math.min(old.length, (size + BLOCK - 1) / BLOCK * BLOCK), (byte) 0);
        }
        node.may(new Version(zeroed, node.now().attribute()));
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.SIZE;
        change.size = size;
        Version after = new Version(Arrays.copyOf(old, size), node.now().attribute());
        change(node, after, () -> load.fs.setattr(Credentials.ROOT, ino, change, new Attributes()));
    }

    private void range(FileNode node, int ino, int pick) {
        byte[] old = node.now().content();
        int from = load.random.nextInt(Math.max(1, old.length));
        int length = 1 + load.random.nextInt(5000);
        int mode = switch (pick) {
            case 20, 21 -> FileSystem.FALLOC_PUNCH_HOLE | FileSystem.FALLOC_KEEP_SIZE;
            case 22 -> FileSystem.FALLOC_ZERO_RANGE;
            case 23 -> FileSystem.FALLOC_KEEP_SIZE;
            default -> 0;
        };
        boolean keep = (mode & FileSystem.FALLOC_KEEP_SIZE) != 0;
        byte[] all = Arrays.copyOf(old, keep ? old.length : Math.max(old.length, from + length));
        if ((mode & ~FileSystem.FALLOC_KEEP_SIZE) != 0) {
            Arrays.fill(all, Math.min(from, all.length), Math.min(from + length, all.length), (byte) 0);
        }
        Version after = new Version(all, node.now().attribute());
        change(node, after, () -> load.fs.fallocate(Credentials.ROOT, ino, mode, from, length));
    }

    private void attribute(FileNode node, int ino) {
        byte[] content = node.now().content();
        if (node.now().attribute() != null && load.random.nextInt(4) == 0) {
            Version after = new Version(content, null);
            change(node, after, () -> load.fs.removexattr(Credentials.ROOT, ino, Tree.ATTRIBUTE));
            return;
        }
        byte[] value = load.bytes(1 + load.random.nextInt(load.random.nextBoolean() ? 30 : 600));
        Version after = new Version(content, value);
        change(node, after, () -> load.fs.setxattr(Credentials.ROOT, ino, Tree.ATTRIBUTE, value, 0));
    }

    private void mode(FileNode node, int ino) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.MODE;
        change.mode = 0600 | load.random.nextInt(64);
        Version same = node.now();
        change(node, same, () -> load.fs.setattr(Credentials.ROOT, ino, change, new Attributes()));
    }
}
