// SPDX-License-Identifier: Apache-2.0
package ext4.lab.linear;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Makes the calls and notes what came of them and when. */
final class Caller {
    private static final int FILE_MODE = 0644;
    private static final int DIRECTORY_MODE = 0755;

    private final FileSystem fs;
    private final AtomicLong clock;

    Caller(FileSystem fs, AtomicLong clock) {
        this.fs = fs;
        this.clock = clock;
    }

    void call(Op op) {
        Attributes out = new Attributes();
        op.called = clock.incrementAndGet();
        try {
            call(op, out);
        } catch (ErrnoException e) {
            op.error = e.errno();
        } finally {
            op.returned = clock.incrementAndGet();
        }
    }

    private void call(Op op, Attributes out) {
        switch (op.kind) {
            case CREATE -> {
                fs.create(Credentials.ROOT, op.parent, bytes(op.name), FILE_MODE, out);
                op.ino = out.ino;
            }
            case MKDIR -> {
                fs.mkdir(Credentials.ROOT, op.parent, bytes(op.name), DIRECTORY_MODE, out);
                op.ino = out.ino;
            }
            case LINK -> {
                fs.link(Credentials.ROOT, op.other, op.parent, bytes(op.name), out);
                op.links = out.nlink;
            }
            case UNLINK -> fs.unlink(Credentials.ROOT, op.parent, bytes(op.name));
            case RMDIR -> fs.rmdir(Credentials.ROOT, op.parent, bytes(op.name));
            case RENAME ->
                fs.rename(Credentials.ROOT, op.parent, bytes(op.name), op.other, bytes(op.newName), op.flags);
            case LOOKUP -> {
                fs.lookup(op.parent, bytes(op.name), out);
                op.ino = out.ino;
            }
            case READDIR -> op.listed = list(op.parent);
            case STAT -> {
                fs.getattr(op.parent, out);
                op.links = out.nlink;
            }
        }
    }

    private List<String> list(int directory) {
        List<String> all = new ArrayList<>();
        fs.readdir(directory, 0, (cookie, ino, mode, name, offset, length) -> {
            String text = new String(name, offset, length, StandardCharsets.UTF_8);
            if (!text.equals(".") && !text.equals("..")) {
                all.add(text + "=" + ino);
            }
            return true;
        });
        Collections.sort(all);
        return all;
    }

    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }
}
