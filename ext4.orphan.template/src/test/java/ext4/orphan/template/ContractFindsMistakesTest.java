// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.template;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.api.orphan.OrphanStrategy;
import ext4.testkit.orphan.ModelHandle;
import ext4.testkit.orphan.OrphanStrategyContract;
import ext4.testkit.run.ContractRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The contract of a strategy is worth something: it fails for each of these mistakes, planted into the template. */
class ContractFindsMistakesTest {
    private static final String RANDOM = "diskNamesEachWantedInodeOnceAtEveryClose";

    private static final Map<Class<?>, String> MISTAKES = Map.ofEntries(
            Map.entry(AddIsNotWritten.class, RANDOM),
            Map.entry(RemoveIsNotWritten.class, "theChainLosesItsMembersDownToTheLast"),
            Map.entry(ChainLinkIsLost.class, RANDOM),
            Map.entry(InSlotAndChainBoth.class, RANDOM),
            Map.entry(ThrowsInClosing.class, RANDOM),
            Map.entry(TakesTooFewCredits.class, RANDOM),
            Map.entry(KeepsAPin.class, "takesOverWhereAnotherLeftOff"),
            Map.entry(ForgetsAPin.class, RANDOM),
            Map.entry(PresentLosesOne.class, "takesOverWhereAnotherLeftOff"),
            Map.entry(AttachWrites.class, "takesOverWhereAnotherLeftOff"),
            Map.entry(WritesWithoutAJournal.class, "writesNothingWhereNothingMayBeWritten"),
            Map.entry(IsNeverPending.class, "writesWhatItIsHandedInMemoryOnly"),
            Map.entry(IsNotThreadSafe.class, "manyThreadsWithInodesOfTheirOwn"));

    @TestFactory
    Stream<DynamicTest> aMistakeIsFound() {
        return MISTAKES.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey().getSimpleName(),
                        () -> assertThat(ContractRun.of(each.getKey()).failed())
                                .as("tests that fail")
                                .contains(each.getValue())));
    }

    @Test
    void theTemplateItselfPasses() {
        ContractRun run = ContractRun.of(TemplateOrphanStrategyTest.class).assertPassed();
        assertThat(run.passed()).isGreaterThanOrEqualTo(11);
    }

    /** A mistake in what reaches the store. */
    abstract static class OfTheStore extends OrphanStrategyContract {
        abstract OrphanStore wrong(OrphanStore store);

        @Override
        protected OrphanStrategy strategy() {
            return (store, present) -> new TemplateOrphanList(wrong(store), present);
        }
    }

    /** A mistake in what the caller sees. */
    abstract static class OfTheList extends OrphanStrategyContract {
        abstract OrphanList wrong(OrphanList list, OrphanStore store);

        @Override
        protected OrphanStrategy strategy() {
            return (store, present) -> wrong(new TemplateOrphanList(store, present), store);
        }
    }

    static final class AddIsNotWritten extends OfTheStore {
        @Override
        OrphanStore wrong(OrphanStore store) {
            return new Mutant.Store(store) {
                @Override
                public void slot(Handle handle, int block, int index, int ino) {
                    if (ino == 0 || index % 4 != 3) {
                        below.slot(handle, block, index, ino);
                    }
                }
            };
        }
    }

    static final class RemoveIsNotWritten extends OfTheStore {
        @Override
        OrphanStore wrong(OrphanStore store) {
            return new Mutant.Store(store) {
                @Override
                public void chainHead(Handle handle, int ino) {
                    if (ino != 0) {
                        below.chainHead(handle, ino);
                    }
                }
            };
        }
    }

    static final class ChainLinkIsLost extends OfTheStore {
        private final AtomicInteger links = new AtomicInteger();

        @Override
        OrphanStore wrong(OrphanStore store) {
            return new Mutant.Store(store) {
                @Override
                public void link(Handle handle, int ino, int next) {
                    if (next == 0 || links.incrementAndGet() % 20 != 0) {
                        below.link(handle, ino, next);
                    }
                }
            };
        }
    }

    static final class InSlotAndChainBoth extends OfTheStore {
        @Override
        OrphanStore wrong(OrphanStore store) {
            return new Mutant.Store(store) {
                @Override
                public void slot(Handle handle, int block, int index, int ino) {
                    below.slot(handle, block, index, ino);
                    if (ino != 0 && index == 2 && below.chainHead() == 0 && handle.extend(1)) {
                        below.chainHead(handle, ino);
                    }
                }
            };
        }
    }

    static final class ThrowsInClosing extends OfTheList {
        private final AtomicInteger closings = new AtomicInteger();

        @Override
        OrphanList wrong(OrphanList list, OrphanStore store) {
            return new Mutant(list) {
                @Override
                public void closing(Handle handle) {
                    super.closing(handle);
                    if (closings.incrementAndGet() % 25 == 0) {
                        throw new IllegalStateException("planted");
                    }
                }
            };
        }
    }

    static final class TakesTooFewCredits extends OfTheList {
        @Override
        OrphanList wrong(OrphanList list, OrphanStore store) {
            return new Mutant(list) {
                @Override
                public int credits(int changes) {
                    return changes;
                }
            };
        }
    }

    static final class KeepsAPin extends OfTheStore {
        @Override
        OrphanStore wrong(OrphanStore store) {
            return new Mutant.Store(store) {
                @Override
                public void unpin(int ino) {
                    if (ino % 16 != 0) {
                        below.unpin(ino);
                    }
                }
            };
        }
    }

    static final class ForgetsAPin extends OfTheStore {
        @Override
        OrphanStore wrong(OrphanStore store) {
            return new Mutant.Store(store) {
                @Override
                public void pin(int ino) {
                    if (ino % 16 != 0) {
                        below.pin(ino);
                    }
                }

                @Override
                public void unpin(int ino) {
                    if (ino % 16 != 0) {
                        below.unpin(ino);
                    }
                }
            };
        }
    }

    static final class PresentLosesOne extends OfTheList {
        @Override
        OrphanList wrong(OrphanList list, OrphanStore store) {
            return new Mutant(list) {
                @Override
                public List<OrphanPlace> present() {
                    List<OrphanPlace> all = super.present();
                    return all.size() > 3 ? all.subList(0, all.size() - 1) : all;
                }
            };
        }
    }

    static final class AttachWrites extends OfTheList {
        @Override
        OrphanList wrong(OrphanList list, OrphanStore store) {
            if (store.persistent() && list.size() > 0) {
                store.chainHead(new ModelHandle(list, 1), store.chainHead());
            }
            return list;
        }
    }

    static final class WritesWithoutAJournal extends OfTheStore {
        @Override
        OrphanStore wrong(OrphanStore store) {
            return new Mutant.Store(store) {
                @Override
                public boolean persistent() {
                    return true;
                }
            };
        }
    }

    static final class IsNeverPending extends OfTheList {
        @Override
        OrphanList wrong(OrphanList list, OrphanStore store) {
            return new Mutant(list) {
                @Override
                public boolean pending() {
                    return false;
                }
            };
        }
    }

    /** Two tasks find the same slot free: the lock of a file block is missing, as it were. */
    static final class IsNotThreadSafe extends OfTheStore {
        @Override
        OrphanStore wrong(OrphanStore store) {
            return new Mutant.Store(store) {
                private volatile int last;

                @Override
                public void link(Handle handle, int ino, int next) {
                    last = next;
                    Thread.yield();
                    below.link(handle, ino, last);
                }

                @Override
                public void slot(Handle handle, int block, int index, int ino) {
                    last = ino;
                    Thread.yield();
                    below.slot(handle, block, index, last);
                }
            };
        }
    }
}
