// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.Transport;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/** The transports loaded another time, as an update of their bundle does. Closed it loads nothing more. */
final class Bundle extends URLClassLoader {
    private final Path classes;

    Bundle() {
        super(
                new URL[] {
                    FuseTransport.class.getProtectionDomain().getCodeSource().getLocation()
                },
                Bundle.class.getClassLoader());
        classes = Path.of(getURLs()[0].getPath());
    }

    /** Its twin of a transport. */
    Transport transport(Transport of) {
        try {
            return (Transport)
                    loadClass(of.getClass().getName()).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            return Files.exists(classes.resolve(name.replace('.', '/') + ".class"))
                    ? findClass(name)
                    : super.loadClass(name, resolve);
        }
    }
}
