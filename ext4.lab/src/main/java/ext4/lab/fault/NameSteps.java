// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import ext4.lab.fault.FileNode.Type;

/** Steps of the workload that change names. */
final class NameSteps {
    private static final Credentials ROOT_USER = Credentials.ROOT;

    private final Load load;

    NameSteps(Load load) {
        this.load = load;
    }

    /** @param pick from 0 to 44 */
    void step(int pick) {
        if (pick < 16) {
            create();
        } else if (pick < 23) {
            rename();
        } else if (pick < 31) {
            unlink(pick < 25);
        } else if (pick < 34) {
            link();
        } else if (pick < 37) {
            symlink();
        } else if (pick < 41) {
            mkdir();
        } else if (pick < 42) {
            rmdir();
        } else {
            tmpfile();
        }
    }

    private FileSystem fs() {
        return load.fs;
    }

    private void create() {
        String path = load.somePath();
        if (load.model.at(path) != null) {
            return;
        }
        byte[] content = load.bytes(load.random.nextInt(6000));
        FileNode[] made = new FileNode[1];
        load.withParent(path, parent -> {
            Attributes a = new Attributes();
            boolean done = load.attempt(
                    () -> fs().create(ROOT_USER, parent, Load.name(path), 0644, a),
                    () -> load.model.may(path, FileNode.unknown(Type.FILE, Load.version(new byte[0]))));
            if (done) {
                made[0] = new FileNode(Type.FILE, a.ino, Load.version(new byte[0]));
                load.model.set(path, made[0]);
                new ContentSteps(load).write(made[0], a.ino, 0, content);
                fs().forget(a.ino, 1);
            }
        });
    }

    private void mkdir() {
        String path = load.someDirectory();
        if (load.model.at(path) != null) {
            return;
        }
        Attributes a = new Attributes();
        boolean done = load.attempt(
                () -> fs().mkdir(ROOT_USER, Load.ROOT, Load.name(path), 0755, a),
                () -> load.model.may(path, FileNode.unknown(Type.DIRECTORY, Load.version(new byte[0]))));
        if (done) {
            load.model.set(path, new FileNode(Type.DIRECTORY, a.ino, Load.version(new byte[0])));
            fs().forget(a.ino, 1);
        }
    }

    private void rmdir() {
        String path = load.someDirectory();
        if (load.model.at(path) == null || load.model.hasChildren(path)) {
            return;
        }
        boolean done =
                load.attempt(() -> fs().rmdir(ROOT_USER, Load.ROOT, Load.name(path)), () -> load.model.may(path, null));
        if (done) {
            load.model.set(path, null);
        }
    }

    private void symlink() {
        String path = load.somePath();
        if (load.model.at(path) != null) {
            return;
        }
        byte[] target = "t".repeat(1 + load.random.nextInt(120)).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        load.withParent(path, parent -> {
            Attributes a = new Attributes();
            boolean done = load.attempt(
                    () -> fs().symlink(ROOT_USER, parent, Load.name(path), target, a),
                    () -> load.model.may(path, FileNode.unknown(Type.LINK, Load.version(target))));
            if (done) {
                load.model.set(path, new FileNode(Type.LINK, a.ino, Load.version(target)));
                fs().forget(a.ino, 1);
            }
        });
    }

    private void link() {
        String from = load.anyPath(Type.FILE);
        String to = load.somePath();
        if (from == null || load.model.at(to) != null) {
            return;
        }
        FileNode node = load.model.at(from);
        load.withInode(from, ino -> load.withParent(to, parent -> name(node, ino, parent, to)));
    }

    private void name(FileNode node, int ino, int parent, String to) {
        boolean done = load.attempt(
                () -> fs().link(ROOT_USER, ino, parent, Load.name(to), new Attributes()),
                () -> load.model.may(to, node));
        if (done) {
            load.model.set(to, node);
            fs().forget(ino, 1);
        }
    }

    /** @param open the file stays in use beyond its last name, and is written to */
    private void unlink(boolean open) {
        String path = load.anyPath(load.random.nextInt(5) == 0 ? Type.LINK : Type.FILE);
        if (path == null) {
            return;
        }
        FileNode node = load.model.at(path);
        load.withInode(
                path,
                ino -> load.withParent(path, parent -> {
                    boolean done = load.attempt(
                            () -> fs().unlink(ROOT_USER, parent, Load.name(path)), () -> load.model.may(path, null));
                    if (done) {
                        load.model.set(path, null);
                        if (open && node.type == Type.FILE) {
                            fs().pin(ino);
                            load.keepPinned(ino);
                            new ContentSteps(load).write(node, ino, load.random.nextInt(3000), load.bytes(2000));
                        }
                    }
                }));
    }

    private void rename() {
        String from = load.anyPath(Type.FILE);
        String to = load.random.nextInt(3) == 0 ? load.anyPath(Type.FILE) : load.somePath();
        if (from == null || from.equals(to)) {
            return;
        }
        FileNode node = load.model.at(from);
        FileNode replaced = load.model.at(to);
        if (replaced == node || replaced != null && replaced.type == Type.DIRECTORY) {
            return;
        }
        boolean mayVanish = node.mayVanish;
        load.withParent(
                from,
                parent -> load.withParent(to, target -> {
                    boolean done = load.attempt(
                            () -> fs().rename(ROOT_USER, parent, Load.name(from), target, Load.name(to), 0), () -> {
                                load.model.may(to, node);
                                load.model.may(from, null);
                                node.mayVanish = mayVanish;
                            });
                    if (done) {
                        load.model.set(to, node);
                        load.model.set(from, null);
                    }
                }));
    }

    private void tmpfile() {
        Attributes a = new Attributes();
        if (!load.attempt(() -> fs().tmpfile(ROOT_USER, Load.ROOT, 0600, a))) {
            return;
        }
        FileNode node = new FileNode(Type.FILE, a.ino, Load.version(new byte[0]));
        new ContentSteps(load).write(node, a.ino, 0, load.bytes(1500));
        String path = load.somePath();
        if (load.random.nextBoolean() && load.model.at(path) == null) {
            load.withParent(path, parent -> name(node, a.ino, parent, path));
        }
        load.keepPinned(a.ino);
    }
}
