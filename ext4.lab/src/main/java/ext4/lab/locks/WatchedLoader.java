// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Loads the project's implementation classes anew, woven; API, JDK and libraries come from its parent. */
final class WatchedLoader extends ClassLoader {
    private static final List<String> SHARED = List.of("ext4.api.", "ext4.lab.locks.LockOrder");

    private final Weaver weaver;

    WatchedLoader(ClassLoader parent) {
        super("locks", parent);
        weaver = new Weaver(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("ext4.") || SHARED.stream().anyMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] woven = weaver.weave(in.readAllBytes());
            return defineClass(name, woven, 0, woven.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
