// SPDX-License-Identifier: Apache-2.0
package ext4.lab.names;

import ext4.api.fs.Errno;
import ext4.lab.load.Hands;
import ext4.lab.load.Worker;
import ext4.sys.TreeCalls;
import java.util.Random;
import java.util.function.BiConsumer;

/** A thread's tree of names: makes, moves and removes them. */
public final class NameWorker implements Worker {
    private static final int CREATE = TreeCalls.O_RDWR | TreeCalls.O_CREAT | TreeCalls.O_EXCL;
    private static final int[] MODES = {0600, 0644, 0640, 0755, 0700};
    private static final int LONGEST_TARGET = 120;

    private final Hands hands;
    private final Random random;
    private final String directory;
    private final Names names;
    private final Attributes attributes;
    private final OpenFiles open;
    private final int umask;

    public NameWorker(Hands hands, String directory, long seed) {
        this.hands = hands;
        this.directory = directory;
        random = new Random(seed);
        names = new Names(directory, random);
        attributes = new Attributes(hands, random, names);
        open = new OpenFiles(hands, random, names);
        umask = Umask.ofThisProcess();
    }

    @Override
    public void begin() {
        hands.must("mkdir", directory, hands.calls.mkdir(Hands.HERE, Hands.bytes(directory), 0700));
        names.root.ino = hands.stat(directory).ino();
    }

    @Override
    public void step() {
        switch (random.nextInt(40)) {
            case 0, 1, 2, 3 -> create();
            case 4, 5 -> mkdir();
            case 6 -> symlink();
            case 7 -> fifo();
            case 8, 9 -> link();
            case 10, 11, 12, 13 -> rename(0);
            case 14 -> rename(Predictions.NOREPLACE);
            case 15, 16 -> rename(Predictions.EXCHANGE);
            case 17, 18, 19, 20 -> unlink();
            case 21, 22 -> rmdir();
            case 23, 24, 25 -> attributes.change();
            case 26, 27 -> attributes.xattr();
            case 28, 29 -> attributes.look();
            case 30, 31 -> open.change();
            case 32 -> open.temporary();
            case 33 -> open.removedDirectory();
            case 34, 35 -> open.open();
            default -> open.work();
        }
        if (names.full()) {
            unlink();
            rmdir();
        }
    }

    private int mode() {
        return MODES[random.nextInt(MODES.length)];
    }

    private void create() {
        Place at = names.anywhere();
        int permissions = mode();
        int fd = hands.expect(
                "open O_CREAT|O_EXCL",
                at.path(),
                hands.calls.open(Hands.HERE, Hands.bytes(at.path()), CREATE, permissions),
                at.newError());
        if (fd >= 0) {
            Node node = new Node(Node.REGULAR, permissions & ~umask);
            names.add(at, node);
            node.ino = hands.stat(at.path(), fd).ino();
            hands.close(at.path(), fd);
        }
    }

    private void mkdir() {
        Place at = names.forDirectory();
        int permissions = mode();
        made(
                at,
                new Node(Node.DIRECTORY, permissions & ~umask),
                hands.expect(
                        "mkdir",
                        at.path(),
                        hands.calls.mkdir(Hands.HERE, Hands.bytes(at.path()), permissions),
                        at.newError()));
    }

    private void symlink() {
        Place at = names.anywhere();
        Node node = new Node(Node.LINK, 0777);
        node.target = "dangling" + "z".repeat(random.nextInt(LONGEST_TARGET));
        made(
                at,
                node,
                hands.expect(
                        "symlink",
                        at.path(),
                        hands.calls.symlink(Hands.bytes(node.target), Hands.HERE, Hands.bytes(at.path())),
                        at.newError()));
    }

    private void fifo() {
        Place at = names.anywhere();
        int permissions = mode();
        made(
                at,
                new Node(Node.FIFO, permissions & ~umask),
                hands.expect(
                        "mknod",
                        at.path(),
                        hands.calls.mknod(Hands.HERE, Hands.bytes(at.path()), Node.FIFO | permissions, 0, 0),
                        at.newError()));
    }

    private void made(Place at, Node node, int result) {
        if (result == 0) {
            names.add(at, node);
            node.ino = hands.stat(at.path()).ino();
        }
    }

    private void link() {
        Place from = names.likely();
        Place to = names.anywhere();
        int result = hands.expect(
                "link " + from.path(),
                to.path(),
                hands.calls.link(Hands.HERE, Hands.bytes(from.path()), Hands.HERE, Hands.bytes(to.path())),
                Predictions.link(from, to));
        if (result == 0) {
            names.add(to, from.node());
        }
    }

    private void rename(int flags) {
        Place from = names.likely();
        Place to = random.nextInt(3) == 0 ? names.existing() : names.anywhere();
        int result = hands.expect(
                (flags == 0 ? "rename " : flags == Predictions.NOREPLACE ? "rename NOREPLACE " : "rename EXCHANGE ")
                        + from.path(),
                to.path(),
                hands.calls.rename(Hands.HERE, Hands.bytes(from.path()), Hands.HERE, Hands.bytes(to.path()), flags),
                Predictions.rename(from, to, flags));
        if (result == 0 && flags == Predictions.EXCHANGE) {
            names.exchange(from, to);
        } else if (result == 0) {
            names.rename(from, to);
        }
    }

    private void unlink() {
        Place at = names.likely();
        int result = hands.expect(
                "unlink", at.path(), hands.calls.unlink(Hands.HERE, Hands.bytes(at.path()), 0), Predictions.unlink(at));
        if (result == 0) {
            names.remove(at);
        }
    }

    private void rmdir() {
        Place at = names.likely();
        int result = hands.expect(
                "rmdir",
                at.path(),
                hands.calls.unlink(Hands.HERE, Hands.bytes(at.path()), TreeCalls.AT_REMOVEDIR),
                Predictions.rmdir(at));
        if (result == 0) {
            names.remove(at);
            hands.expect(
                    "stat",
                    at.path(),
                    hands.calls.stat(Hands.HERE, Hands.bytes(at.path())) == null ? -hands.calls.errno() : 0,
                    Errno.ENOENT.number());
        }
    }

    @Override
    public void expectations(BiConsumer<String, String> each) {
        names.forEach((path, node) -> each.accept(path, node.description()));
        open.verifyAll();
    }

    @Override
    public void end() {
        open.closeAll();
    }
}
