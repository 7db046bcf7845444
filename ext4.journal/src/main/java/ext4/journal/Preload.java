// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import java.util.List;

/**
 * Loads every class of this bundle before its services are registered. After an update or uninstall the old revision is
 * closed at once, and a journal that still commits, checkpoints or aborts must not need a class it never used before.
 */
final class Preload {
    private static final List<String> CLASSES = List.of(
            "ext4.journal.engine.Apart",
            "ext4.journal.engine.BlockState",
            "ext4.journal.engine.CommitSink",
            "ext4.journal.engine.CommitSink$Owner",
            "ext4.journal.engine.Committer",
            "ext4.journal.engine.Engine",
            "ext4.journal.engine.FrozenTransaction",
            "ext4.journal.engine.HandleGate",
            "ext4.journal.engine.HeldBarrier",
            "ext4.journal.engine.NoOrphans",
            "ext4.journal.engine.RevokeSet",
            "ext4.journal.engine.RevokeSet$Stripe",
            "ext4.journal.engine.Slot",
            "ext4.journal.engine.SlotTotals",
            "ext4.journal.engine.Threads",
            "ext4.journal.engine.Transaction",
            "ext4.journal.engine.TxHandle",
            "ext4.journal.inplace.BlockWriter",
            "ext4.journal.inplace.InPlaceSink",
            "ext4.journal.log.Checkpointer",
            "ext4.journal.log.Checkpointer$Entry",
            "ext4.journal.log.LogAppender",
            "ext4.journal.log.LogFile",
            "ext4.journal.log.LogMap",
            "ext4.journal.log.LogRing",
            "ext4.journal.log.LogSink",
            "ext4.journal.log.LoggedTransaction",
            "ext4.journal.log.TransactionWriter",
            "ext4.journal.recovery.FastCommitArea",
            "ext4.journal.recovery.LogReader",
            "ext4.journal.recovery.LogWalker",
            "ext4.journal.recovery.LogWalker$Pass",
            "ext4.journal.recovery.Recovery",
            "ext4.journal.recovery.ReplayPass",
            "ext4.journal.recovery.RevokePass",
            "ext4.journal.recovery.ScanPass",
            "ext4.format.FormatException",
            "ext4.format.Le",
            "ext4.format.checksum.Crc32c",
            "ext4.format.jbd2.Be",
            "ext4.format.jbd2.BlockHeader",
            "ext4.format.jbd2.CommitBlock",
            "ext4.format.jbd2.Crc32Be",
            "ext4.format.jbd2.DescriptorReader",
            "ext4.format.jbd2.DescriptorWriter",
            "ext4.format.jbd2.FastCommitBlock",
            "ext4.format.jbd2.FastCommitBlock$TailFinder",
            "ext4.format.jbd2.JournalFeature",
            "ext4.format.jbd2.JournalSuperblock",
            "ext4.format.jbd2.LogFormat",
            "ext4.format.jbd2.RevokeBlock",
            "ext4.format.jbd2.Tag");

    private Preload() {}

    /** The names, for the test that compares them with what there is. */
    static List<String> classes() {
        return CLASSES;
    }

    /** Loads and initialises all of them; again costs little. */
    static void all() {
        ClassLoader loader = Preload.class.getClassLoader();
        for (String name : CLASSES) {
            try {
                Class.forName(name, true, loader);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException("the bundle is incomplete: " + name, e);
            }
        }
    }
}
