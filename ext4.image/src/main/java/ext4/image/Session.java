// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.Ext4Exception;
import java.io.IOException;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A mounted image as the parts of this package see it: the verbs behind the door, their errors under the caller's path. */
final class Session {
    static final int ROOT = 2;

    /** Tells images of one process apart, as st_dev does devices; negative, so that it is no device of the host. */
    private static final AtomicLong IDS = new AtomicLong();

    /** A call of the core. */
    @FunctionalInterface
    interface Verb<T> {
        T run() throws IOException;
    }

    /** As {@link Verb}, without a result. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    final CoreFileSystem fs;
    final Credentials who;
    final Door door = new Door();
    final long id = IDS.decrementAndGet();
    private final boolean writable;

    Session(CoreFileSystem fs, ImageOptions options) {
        this.fs = fs;
        this.who = new Credentials(options.uid(), options.gid(), 0);
        this.writable = options.writable();
    }

    /** Reads. */
    <T> T call(String path, Verb<T> verb) throws IOException {
        return call(() -> path, verb);
    }

    /** Reads; the path is asked for only if something fails. */
    <T> T call(Supplier<String> path, Verb<T> verb) throws IOException {
        door.enter();
        try {
            return verb.run();
        } catch (Ext4Exception e) {
            throw Errors.of(e, path.get(), null);
        } finally {
            door.leave();
        }
    }

    /** Changes. */
    void change(String path, Action action) throws IOException {
        change(() -> path, null, () -> {
            action.run();
            return null;
        });
    }

    /** Changes something about two paths. */
    void change(String path, String other, Action action) throws IOException {
        change(() -> path, other, () -> {
            action.run();
            return null;
        });
    }

    /** Changes, with a result. */
    <T> T change(Supplier<String> path, String other, Verb<T> verb) throws IOException {
        checkWritable();
        door.enter();
        try {
            return verb.run();
        } catch (Ext4Exception e) {
            throw Errors.of(e, path.get(), other);
        } finally {
            door.leave();
        }
    }

    /** @throws ReadOnlyFileSystemException if the image was opened so */
    void checkWritable() {
        if (!writable) {
            throw new ReadOnlyFileSystemException();
        }
    }

    /** Gives a pin back; after the image was closed there is none. */
    void forget(int ino) {
        if (ino != ROOT && ino != 0 && door.tryEnter()) {
            try {
                fs.forget(ino, 1);
            } finally {
                door.leave();
            }
        }
    }

    Attributes attributes(int ino) {
        Attributes out = new Attributes();
        fs.getattr(ino, out);
        return out;
    }
}
