// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.CoreProvider;
import ext4.format.superblock.Superblock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;

/** The core once more, in a class loader of its own as a bundle has one; once it is closed it loads nothing more. */
final class OwnLoader extends URLClassLoader {
    OwnLoader() {
        super(new URL[] {where(Ext4CoreProvider.class), where(Superblock.class)}, OwnLoader.class.getClassLoader());
    }

    private static URL where(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    CoreProvider provider() {
        try {
            return (CoreProvider)
                    loadClass(Ext4CoreProvider.class.getName()).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("ext4.core.") && !name.startsWith("ext4.format.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : findClass(name);
        }
    }

    @Override
    public void close() {
        try {
            super.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
