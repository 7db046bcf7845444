// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.mutant;

import ext4.api.block.BlockDevice;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.lab.crash.image.BaseImage;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A planted mistake. */
public enum Mutant {
    /** None. */
    NONE,
    /** Every other flush is skipped. */
    FLUSH {
        @Override
        public BlockDevice device(BlockDevice device, BaseImage base) {
            return new SkippedFlush(device);
        }
    },
    /** Blocks that were freed are not revoked. */
    REVOKE {
        @Override
        public BlockDevice device(BlockDevice device, BaseImage base) {
            return new EmptyRevokes(device, base);
        }
    },
    /** Freed blocks are used again before their transaction is durable. */
    REUSE {
        @Override
        public JournalProvider journal(JournalProvider provider) {
            return new EarlyRelease(provider);
        }
    },
    /** The chain of orphans ends behind its first member. */
    LINK {
        @Override
        public OrphanStrategy strategy(OrphanStrategy strategy) {
            return (store, present) -> strategy.attach(new LostLink(store), present);
        }
    },
    /** An orphan stands in a slot of the orphan file and in the chain. */
    TWICE {
        @Override
        public OrphanStrategy strategy(OrphanStrategy strategy) {
            return (store, present) -> strategy.attach(new ListedTwice(store), present);
        }
    },
    /** What a file holds reaches the device after the transaction that makes it reachable. */
    LATE {
        @Override
        public BlockDevice device(BlockDevice device, BaseImage base) {
            return new LateData(device);
        }
    };

    /** By its name in small letters; null if there is none. */
    public static Mutant named(String name) {
        return Arrays.stream(values())
                .filter(mutant -> mutant.text().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Names of all but {@link #NONE}. */
    public static List<String> names() {
        return Arrays.stream(values()).skip(1).map(Mutant::text).toList();
    }

    /** Its name. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The device as the filesystem sees it. */
    public BlockDevice device(BlockDevice device, BaseImage base) {
        return device;
    }

    /** The journal as the core sees it. */
    public JournalProvider journal(JournalProvider provider) {
        return provider;
    }

    /** The strategy as the core sees it. */
    public OrphanStrategy strategy(OrphanStrategy strategy) {
        return strategy;
    }
}
