// SPDX-License-Identifier: Apache-2.0
package ext4.itest.thirdparty;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountOptions;
import ext4.api.fs.MountPoint;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.api.orphan.OrphanStrategy;
import java.util.List;
import java.util.Map;

/** Whatever part it is to be, it does not take over; {@link FaultyBundle} makes components of it, one a {@link Fault}. */
public final class FaultyPart implements OrphanStrategy, JournalProvider, CoreProvider, Transport {
    private Fault fault;

    /** Called by Declarative Services. */
    void activate(Map<String, Object> properties) {
        fault = Fault.valueOf((String) properties.get(Fault.PROPERTY));
    }

    private <T> T fail() {
        switch (fault) {
            case REFUSES -> throw new UnsupportedOperationException("it does not do that");
            case THROWS -> throw new IllegalStateException("it broke");
            case LACKS_A_CLASS -> Absent.use();
            case HAS_NO_MEMORY -> {
                long[] everything = new long[Integer.MAX_VALUE - 8];
                throw new AssertionError("a heap of more than " + everything.length * 8L + " bytes");
            }
            case GIVES_NOTHING -> {}
        }
        return null;
    }

    @Override
    public OrphanList attach(OrphanStore store, List<OrphanPlace> present) {
        return fail();
    }

    @Override
    public boolean journals() {
        return true;
    }

    @Override
    public JournalRecovery recover(JournalHost host) {
        return fail();
    }

    @Override
    public Journal open(JournalHost host, JournalOptions options) {
        return fail();
    }

    @Override
    public CoreFileSystem mount(
            BlockDevice device,
            MountOptions options,
            JournalProvider journal,
            String strategyName,
            OrphanStrategy strategy) {
        return fail();
    }

    @Override
    public CoreFileSystem adopt(
            BlockDevice device,
            MountOptions options,
            JournalProvider journal,
            String strategyName,
            OrphanStrategy strategy,
            PinnedInodes pins) {
        return fail();
    }

    @Override
    public boolean needsJournal(BlockDevice device) {
        return true;
    }

    @Override
    public TransportSession mount(MountPoint where, FileSystem fs) {
        return fail();
    }

    @Override
    public TransportSession resume(MountPoint where, FileSystem fs, TransportState state) {
        return fail();
    }
}
