// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import ext4.api.block.BlockDevice;
import ext4.api.block.BlockDeviceProvider;
import ext4.api.journal.Handle;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import ext4.testkit.device.DurableBlockDeviceContract;
import ext4.testkit.journal.Jbd2JournalContract;
import ext4.testkit.journal.JournalContract;
import ext4.testkit.orphan.OrphanStrategyContract;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;

/** The contracts of the kit, each extended by one class, for the services that the container publishes. */
final class PublishedContracts {
    private PublishedContracts() {}

    /** The service of that name that another bundle offers. */
    private static <T> T service(Class<T> type, String filter) {
        BundleContext context =
                FrameworkUtil.getBundle(PublishedContracts.class).getBundleContext();
        try {
            return context.getServiceReferences(type, filter).stream()
                    .filter(reference -> reference.getBundle() != context.getBundle())
                    .map(context::getService)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no " + type + " " + filter));
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static OrphanStrategy strategy(String name) {
        return service(OrphanStrategy.class, "(" + OrphanStrategy.NAME + "=" + name + ")");
    }

    private static JournalProvider journal(String name) {
        return service(JournalProvider.class, "(" + JournalProvider.NAME + "=" + name + ")");
    }

    static class Global extends OrphanStrategyContract {
        @Override
        protected OrphanStrategy strategy() {
            return PublishedContracts.strategy("global");
        }
    }

    static class Sharded extends OrphanStrategyContract {
        @Override
        protected OrphanStrategy strategy() {
            return PublishedContracts.strategy("sharded");
        }
    }

    static class Jbd2 extends Jbd2JournalContract {
        @Override
        protected JournalProvider provider() {
            return journal("jbd2");
        }
    }

    static class WithoutALog extends JournalContract {
        @Override
        protected JournalProvider provider() {
            return journal("none");
        }
    }

    static class ImageFile extends DurableBlockDeviceContract {
        @TempDir
        Path dir;

        private Path image;

        @Override
        protected BlockDevice create(long size) throws IOException {
            image = Files.createTempFile(dir, "image", null);
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(size);
            }
            return reopen(false);
        }

        @Override
        protected BlockDevice reopen(boolean readOnly) {
            return service(BlockDeviceProvider.class, null).open(image.toString(), readOnly);
        }
    }

    /** A mistake: each tenth inode that is added is forgotten. */
    static class Forgetful extends OrphanStrategyContract {
        @Override
        protected OrphanStrategy strategy() {
            return (store, present) ->
                    new ForgetfulList(PublishedContracts.strategy("sharded").attach(store, present));
        }
    }

    private record ForgetfulList(OrphanList list) implements OrphanList {
        @Override
        public void add(Handle handle, int ino) {
            if (ino % 10 != 0) {
                list.add(handle, ino);
            }
        }

        @Override
        public void remove(Handle handle, int ino) {
            list.remove(handle, ino);
        }

        @Override
        public int credits(int changes) {
            return list.credits(changes);
        }

        @Override
        public void closing(Handle handle) {
            list.closing(handle);
        }

        @Override
        public boolean pending() {
            return list.pending();
        }

        @Override
        public List<OrphanPlace> present() {
            return list.present();
        }

        @Override
        public long size() {
            return list.size();
        }

        @Override
        public long diskChanges() {
            return list.diskChanges();
        }

        @Override
        public void detach() {
            list.detach();
        }
    }
}
