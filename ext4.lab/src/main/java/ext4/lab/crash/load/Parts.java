// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.mount.Ext4CoreProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.plain.PlainJournalProvider;
import ext4.lab.crash.image.BaseImage;
import ext4.lab.crash.mutant.Mutant;
import ext4.lab.stack.ReplaceableCore;
import ext4.lab.stack.RestlessJournal;
import ext4.lab.stack.Stack;
import ext4.lab.stack.TickingClock;

/** The parts at work on one filesystem, and those that replace them. One clock for all. */
final class Parts {
    private static final int LATER_SECONDS = 1000;

    private final TickingClock clock = new TickingClock(BaseImage.MADE_SECONDS + LATER_SECONDS);
    private final Ext4CoreProvider core = new Ext4CoreProvider(clock, clock);
    private final BlockDevice device;
    private final Plan plan;
    private final Mutant mutant;
    private final JournalProvider[] journals;
    private int journal;
    private ReplaceableCore mounted;
    private CoreFileSystem fs;

    Parts(BlockDevice device, Plan plan, Mutant mutant) {
        this.device = device;
        this.plan = plan;
        this.mutant = mutant;
        journals = new JournalProvider[] {journal(new Jbd2Provider(clock)), journal(new PlainJournalProvider(clock))};
    }

    private JournalProvider journal(JournalProvider provider) {
        JournalProvider planted = mutant.journal(provider);
        return plan.mixed() > 0 ? new RestlessJournal(planted, plan.seed()) : planted;
    }

    private OrphanStrategy strategy(String name) {
        return mutant.strategy(Stack.strategy(name));
    }

    CoreFileSystem mount() {
        String first = plan.mode().strategy();
        mounted = new ReplaceableCore(core.mount(device, Stack.QUIET, journals[journal], first, strategy(first)));
        fs = mounted.fs();
        return fs;
    }

    /** Replaces what the plan says. */
    void swap() {
        int at = Stack.STRATEGIES.indexOf(fs.strategyName());
        String next = Stack.STRATEGIES.get((at + 1) % Stack.STRATEGIES.size());
        switch (plan.mode()) {
            case STRATEGY_SWAP -> fs.swapOrphanStrategy(next, strategy(next));
            case JOURNAL_SWAP -> {
                JournalProvider from = journals[journal];
                journal = 1 - journal;
                fs.swapJournal(from, journals[journal]);
            }
            case CORE_SWAP ->
                mounted.replace(pins -> core.adopt(device, Stack.QUIET, journals[journal], next, strategy(next), pins));
            default -> {}
        }
    }
}
