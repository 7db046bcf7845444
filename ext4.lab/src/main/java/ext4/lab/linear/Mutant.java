// SPDX-License-Identifier: Apache-2.0
package ext4.lab.linear;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.DirSink;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Mistakes that the search must find: each is right as long as one thread calls at a time. */
enum Mutant {
    /** A rename that is a link and then an unlink: both names can be seen. */
    RENAME_IN_TWO_STEPS {
        @Override
        Object call(FileSystem fs, Method method, Object[] args) throws Throwable {
            if (method.getName().equals("rename") && (int) args[5] == 0 && moved(fs, args)) {
                return null;
            }
            return forward(fs, method, args);
        }

        private boolean moved(FileSystem fs, Object[] args) {
            Credentials who = (Credentials) args[0];
            Attributes found = new Attributes();
            try {
                fs.lookup((int) args[1], (byte[]) args[2], found);
                fs.link(who, found.ino, (int) args[3], (byte[]) args[4], new Attributes());
            } catch (ErrnoException e) {
                return false; // what link can't do
            }
            LockSupport.parkNanos(1000); // lets others in
            fs.unlink(who, (int) args[1], (byte[]) args[2]);
            return true;
        }
    },

    /** A create that takes what another thread made meanwhile for its own. */
    CREATE_AFTER_LOOK {
        @Override
        Object call(FileSystem fs, Method method, Object[] args) throws Throwable {
            if (!method.getName().equals("create")) {
                return forward(fs, method, args);
            }
            try {
                fs.lookup((int) args[1], (byte[]) args[2], new Attributes());
            } catch (ErrnoException absent) {
                LockSupport.parkNanos(1000); // lets others in
                try {
                    return forward(fs, method, args);
                } catch (ErrnoException late) {
                    if (late.errno() != Errno.EEXIST) {
                        throw late;
                    }
                    fs.lookup((int) args[1], (byte[]) args[2], (Attributes) args[4]);
                    return null;
                }
            }
            throw ErrnoException.of(Errno.EEXIST);
        }
    },

    /** A listing that is made of two, one after the other. */
    LISTING_IN_TWO_PARTS {
        @Override
        Object call(FileSystem fs, Method method, Object[] args) throws Throwable {
            if (!method.getName().equals("readdir")) {
                return forward(fs, method, args);
            }
            DirSink sink = (DirSink) args[2];
            List<Long> reached = new ArrayList<>();
            fs.readdir((int) args[0], (long) args[1], (cookie, ino, mode, name, offset, length) -> {
                if (reached.size() == 3) {
                    return false;
                }
                reached.add(cookie);
                return sink.entry(cookie, ino, mode, name, offset, length);
            });
            LockSupport.parkNanos(1000); // lets others in
            if (!reached.isEmpty()) {
                fs.readdir((int) args[0], reached.getLast(), sink);
            }
            return null;
        }
    },

    /** A lookup that remembers, and does not hear of changes. */
    LOOKUP_OF_YESTERDAY {
        private final ThreadLocal<Attributes> last = new ThreadLocal<>();
        private final ThreadLocal<String> key = new ThreadLocal<>();

        @Override
        Object call(FileSystem fs, Method method, Object[] args) throws Throwable {
            if (!method.getName().equals("lookup")) {
                return forward(fs, method, args);
            }
            String asked = args[0] + "/" + new String((byte[]) args[1], java.nio.charset.StandardCharsets.UTF_8);
            Attributes out = (Attributes) args[2];
            if (asked.equals(key.get())) {
                out.ino = last.get().ino;
                key.remove();
                return null;
            }
            forward(fs, method, args);
            Attributes copy = new Attributes();
            copy.ino = out.ino;
            last.set(copy);
            key.set(asked);
            return null;
        }
    };

    abstract Object call(FileSystem fs, Method method, Object[] args) throws Throwable;

    /** The filesystem with the mistake. */
    FileSystem of(FileSystem fs) {
        return (FileSystem) Proxy.newProxyInstance(
                FileSystem.class.getClassLoader(),
                new Class<?>[] {FileSystem.class},
                (proxy, method, args) -> call(fs, method, args));
    }

    private static Object forward(FileSystem fs, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(fs, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
