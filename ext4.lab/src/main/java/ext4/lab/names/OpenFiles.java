// SPDX-License-Identifier: Apache-2.0
package ext4.lab.names;

import ext4.api.fs.Errno;
import ext4.lab.load.Hands;
import ext4.sys.DirectoryEntries;
import ext4.sys.FileStatus;
import ext4.sys.TreeCalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Files that stay open, many of them unlinked, files that never had a name, and directories that are gone. */
final class OpenFiles {
    private static final int MOST = 8;
    private static final int LARGEST = 40_000;
    private static final int LONGEST = 6_000;

    private final Hands hands;
    private final Random random;
    private final Names names;
    private final List<Held> held = new ArrayList<>();

    /** An open file; {@code was} is what it was called when it was opened. */
    private record Held(int fd, Node node, String was) {}

    OpenFiles(Hands hands, Random random, Names names) {
        this.hands = hands;
        this.random = random;
        this.names = names;
    }

    /** Opens a file by name, changes it, closes it. */
    void change() {
        Place at = names.likely();
        if (at.node() != null && at.node().type == Node.FIFO) {
            return;
        }
        boolean truncate = random.nextInt(6) == 0;
        int fd = hands.expect(
                truncate ? "open O_TRUNC" : "open O_RDWR",
                at.path(),
                hands.calls.open(
                        Hands.HERE, Hands.bytes(at.path()), TreeCalls.O_RDWR | (truncate ? TreeCalls.O_TRUNC : 0), 0),
                Predictions.openFile(at));
        if (fd >= 0) {
            try {
                if (truncate) {
                    cut(at.node(), 0);
                }
                write(fd, at.node(), at.path());
            } finally {
                hands.calls.close(fd);
            }
        }
    }

    private void write(int fd, Node node, String path) {
        byte[] bytes = new byte[1 + random.nextInt(LONGEST)];
        random.nextBytes(bytes);
        int offset = random.nextInt(Math.min(LARGEST, node.content.length + LONGEST));
        hands.write(path, fd, bytes, offset);
        node.write(offset, bytes);
    }

    private static void cut(Node node, int size) {
        node.content = Arrays.copyOf(node.content, size);
        node.modified();
    }

    /** Opens a file and keeps it open; mostly it loses its name. */
    void open() {
        Place at = names.existing();
        if (held.size() == MOST || at.node() == null || at.node().type != Node.REGULAR) {
            return;
        }
        int fd = hands.open(at.path(), TreeCalls.O_RDWR, 0);
        held.add(new Held(fd, at.node(), at.path()));
        if (random.nextInt(3) > 0) {
            hands.must("unlink", at.path(), hands.calls.unlink(Hands.HERE, Hands.bytes(at.path()), 0));
            names.remove(at);
        }
    }

    /** A file without a name; sometimes it gets one. */
    void temporary() {
        Node directory = names.anyDirectory();
        String path = names.path(directory);
        if (held.size() == MOST) {
            return;
        }
        int fd = hands.must(
                "open O_TMPFILE",
                path,
                hands.calls.open(Hands.HERE, Hands.bytes(path), TreeCalls.O_TMPFILE | TreeCalls.O_RDWR, 0600));
        Node node = new Node(Node.REGULAR, 0600 & ~Umask.ofThisProcess());
        Held file = new Held(fd, node, path + "/(temporary)");
        held.add(file);
        node.ino = hands.stat(file.was, fd).ino();
        write(fd, node, file.was);
        if (random.nextBoolean()) {
            Place at = names.anywhere();
            int result = hands.expect(
                    "link of a temporary file",
                    at.path(),
                    hands.calls.link(fd, Hands.HERE, Hands.bytes(at.path())),
                    at.newError());
            if (result == 0) {
                names.add(at, node);
            }
        }
    }

    /** Works on one of the open files, or closes it. */
    void work() {
        if (held.isEmpty()) {
            return;
        }
        Held file = held.get(random.nextInt(held.size()));
        switch (random.nextInt(7)) {
            case 0, 1 -> write(file.fd, file.node, file.was);
            case 2 -> {
                int size = random.nextInt(LARGEST);
                hands.must("ftruncate", file.was, hands.calls.setSize(file.fd, size));
                cut(file.node, size);
            }
            case 3 -> hands.must("fsync", file.was, hands.calls.sync(file.fd));
            case 4 -> {
                int permissions = random.nextInt(01000);
                hands.must("fchmod", file.was, hands.calls.chmod(file.fd, permissions));
                file.node.permissions = permissions;
            }
            case 5 -> verify(file);
            default -> {
                verify(file);
                hands.close(file.was, file.fd);
                held.remove(file);
            }
        }
    }

    private void verify(Held file) {
        FileStatus status = hands.stat(file.was, file.fd);
        Node node = file.node;
        String expected = Integer.toOctalString(node.type | node.permissions) + " uid " + node.uid + " links "
                + node.links + " ino " + node.ino + " size " + node.content.length;
        String actual = Integer.toOctalString(status.mode()) + " uid " + status.uid() + " links " + status.nlink()
                + " ino " + status.ino() + " size " + status.size();
        if (!actual.equals(expected)) {
            hands.outcome().differs(file.was + " (open)", expected, actual);
        } else {
            byte[] bytes = hands.content(file.was, file.fd, status.size());
            int wrong = Arrays.mismatch(bytes, node.content);
            if (wrong >= 0) {
                hands.outcome()
                        .differs(
                                file.was + " (open)",
                                bytes.length + " bytes as written",
                                "wrong from " + wrong + " on");
            }
        }
    }

    /** In a directory that was removed there is nothing and nothing can be made. */
    void removedDirectory() {
        Place at = names.anywhere();
        if (at.newError() != 0) {
            return;
        }
        byte[] path = Hands.bytes(at.path());
        hands.must("mkdir", at.path(), hands.calls.mkdir(Hands.HERE, path, 0700));
        int fd = hands.open(at.path(), Hands.O_RDONLY | TreeCalls.O_DIRECTORY, 0);
        try {
            hands.must("rmdir", at.path(), hands.calls.unlink(Hands.HERE, path, TreeCalls.AT_REMOVEDIR));
            at.directory().modified();
            int none = Errno.ENOENT.number();
            hands.expect(
                    "openat in a removed directory",
                    at.path(),
                    hands.calls.open(fd, Hands.bytes("new"), TreeCalls.O_WRONLY | TreeCalls.O_CREAT, 0600),
                    none);
            hands.expect(
                    "getdents of a removed directory",
                    at.path(),
                    hands.calls.entries(fd, new DirectoryEntries(512)),
                    none);
        } finally {
            hands.calls.close(fd);
        }
    }

    void verifyAll() {
        held.forEach(this::verify);
    }

    void closeAll() {
        held.forEach(file -> hands.calls.close(file.fd));
        held.clear();
    }
}
