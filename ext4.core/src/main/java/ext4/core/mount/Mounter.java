// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.volume.Evidence;
import ext4.core.volume.Volume;
import ext4.core.volume.WallClock;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Features;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mounts, once. The order is the kernel's: superblock, features, replay, superblock again, descriptors, orphans read and
 * judged, marks, journal opened, orphans processed. Up to the marks nothing but the replay writes.
 */
final class Mounter {
    private static final Logger LOG = LoggerFactory.getLogger(Mounter.class);
    /** Part of the heap for cached metadata. */
    private static final int CACHE_SHARE = 4;

    private final BlockDevice device;
    private final WallClock clock;
    private final IntSupplier generations;
    private final MountOptions options;
    private final JournalProvider provider;
    private final String strategyName;
    private final OrphanStrategy strategy;

    private Assembly parts;
    private SuperblockMarks marks;
    private CoreJournalHost host;
    /** Blocks of the journal inside the filesystem. */
    private int journalBlocks;

    Mounter(
            BlockDevice device,
            WallClock clock,
            IntSupplier generations,
            MountOptions options,
            JournalProvider provider,
            String strategyName,
            OrphanStrategy strategy) {
        this.device = device;
        this.clock = clock;
        this.generations = generations;
        this.options = options;
        this.provider = provider;
        this.strategyName = strategyName;
        this.strategy = strategy;
    }

    /** See {@link ext4.api.fs.CoreProvider#mount}. */
    MountedFileSystem mount() {
        assemble();
        return open();
    }

    /** See {@link ext4.api.fs.CoreProvider#adopt}. */
    MountedFileSystem adopt(PinnedInodes pinned) {
        assemble();
        boolean mayWrite = mayWrite();
        WriteOpening opening = new WriteOpening(parts, marks, host);
        Adoption adoption = new Adoption(parts, marks, opening, pinned, provider.journals());
        adoption.judge(mayWrite);
        MountedFileSystem fs = new MountedFileSystem(parts, marks, opening, strategyName, journalBlocks);
        if (mayWrite && !options.readOnly()) {
            adoption.begin(fs, provider, strategyName, strategy);
            adoption.finish();
        }
        return fs;
    }

    /** Everything but the journal and the list; nothing but a replay writes. */
    private void assemble() {
        if (options.noload() && !options.readOnly()) {
            LOG.error("{}: noload goes only with ro", device.name());
            throw ErrnoException.of(Errno.EINVAL);
        }
        Superblock sb = superblock();
        boolean journals = sb.has(Feature.HAS_JOURNAL);
        if (journals != provider.journals()) {
            throw new IllegalArgumentException(device.name() + ": the filesystem has " + (journals ? "a" : "no")
                    + " journal, the provider is for the other kind");
        }
        JournalFile file = journals && !options.noload() ? JournalFile.read(device, sb) : null;
        host = new CoreJournalHost(device, sb, file);
        int journalError = 0;
        if (needsRecovery()) {
            journalError = recover(host);
            sb = superblock();
        }
        long cache = Runtime.getRuntime().maxMemory() / CACHE_SHARE;
        Volume volume = new Volume(device, sb, options, clock, generations, cache);
        parts = new Assembly(volume);
        if (file != null) {
            parts.groups.zone().reserve(file.runs());
        }
        host.attach(parts.groups, parts.pending, volume.errors());
        marks = new SuperblockMarks(volume, parts.groups, journals);
        if (journalError != 0) {
            LOG.warn("{}: the journal recorded error {}, run fsck", device.name(), journalError);
            marks.journalHadError();
        }
        journalBlocks = file == null ? 0 : file.length();
    }

    /** Reads and judges the superblock. Nothing is written before this returned. */
    private Superblock superblock() {
        byte[] b = read(device);
        Features features = Superblock.features(b, 0);
        if (!features.unsupportedIncompat().isEmpty()) {
            throw new UnsupportedFeatureException(device.name() + " is not mounted", features.unsupportedIncompat());
        }
        Superblock sb = Evidence.parse(() -> Superblock.parse(b));
        Evidence.check(() -> sb.checkDevice(device.size()));
        return sb;
    }

    /** The primary superblock's bytes, identified. */
    static byte[] read(BlockDevice device) {
        byte[] b = new byte[Superblock.SIZE];
        if (device.size() < Superblock.BYTE_OFFSET + Superblock.SIZE) {
            throw new CorruptException(
                    "superblock of " + device.name(), -1, "device size", device.size() + " bytes", "at least 2048");
        }
        device.read(Superblock.BYTE_OFFSET, ByteBuffer.wrap(b));
        Evidence.check(() -> Superblock.checkIdentity(b, 0));
        return b;
    }

    private boolean needsRecovery() {
        byte[] b = read(device);
        return Superblock.features(b, 0).has(Feature.HAS_JOURNAL) && SuperblockFields.needsRecovery(b, 0);
    }

    /** Replays the log; the error it had recorded, or 0. */
    private int recover(CoreJournalHost host) {
        if (options.noload()) {
            LOG.warn("{}: mounted without replaying its journal (noload): contents may be inconsistent", device.name());
            return 0;
        }
        if (device.readOnly()) {
            throw new DeviceException(device.name()
                    + ": the journal needs recovery but the device is read-only (noload mounts without it)");
        }
        byte[] before = read(device);
        JournalRecovery recovery = provider.recover(host);
        keepErrors(before);
        LOG.info(
                "{}: journal replayed: {} transactions, {} blocks, {} revoked",
                device.name(),
                recovery.transactions(),
                recovery.blocks(),
                recovery.revoked());
        return recovery.recordedError();
    }

    /** An abort records its error past the log, which then writes the older superblock over it: the error stays on record. */
    private void keepErrors(byte[] before) {
        byte[] b = read(device);
        if (SuperblockFields.errorCount(b, 0) < SuperblockFields.errorCount(before, 0)) {
            SuperblockFields.copyErrors(before, 0, b, 0);
            SuperblockFields.seal(b, 0);
            device.write(Superblock.BYTE_OFFSET, ByteBuffer.wrap(b));
            device.flush();
        }
    }

    private boolean mayWrite() {
        List<String> readOnlyFeatures = parts.volume.superblock().features().unsupportedRoCompat();
        if (!readOnlyFeatures.isEmpty() && !options.readOnly()) {
            LOG.warn("{}: mounted read-only because of {}", device.name(), String.join(", ", readOnlyFeatures));
        }
        return !device.readOnly() && !options.noload() && readOnlyFeatures.isEmpty() && sumsHold();
    }

    /** A mount that is not read-only would have been refused; a read-only one must not process orphans either. */
    private boolean sumsHold() {
        if (!options.readOnly()) {
            return true;
        }
        try {
            parts.groups.checkSums();
            return true;
        } catch (CorruptException e) {
            LOG.warn("{}: mounted read-only with a wrong checksum, run fsck: {}", device.name(), e.getMessage());
            return false;
        }
    }

    private MountedFileSystem open() {
        boolean mayWrite = mayWrite();
        boolean readOnly = options.readOnly() || !mayWrite;
        WriteOpening opening = new WriteOpening(parts, marks, host);
        List<OrphanPlace> orphans = mayWrite ? opening.orphans() : List.of();
        MountedFileSystem fs = new MountedFileSystem(parts, marks, opening, strategyName, journalBlocks);
        if (!readOnly || !orphans.isEmpty() && !marks.hasErrors()) {
            opening.open(fs, provider, strategyName, strategy, orphans);
            if (readOnly) {
                fs.remountReadOnly();
            }
        }
        return fs;
    }
}
