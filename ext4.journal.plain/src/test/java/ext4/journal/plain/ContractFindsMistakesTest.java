// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.block.BlockDevice;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.testkit.journal.Jbd2JournalContract;
import ext4.testkit.run.ContractRun;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The contract of a journal is worth something: it fails for each of these mistakes, planted into the plain one. */
class ContractFindsMistakesTest {
    private static final int LIMIT_SECONDS = 20;

    private static final Map<Class<?>, String> MISTAKES = Map.ofEntries(
            Map.entry(NoFlushBeforeTheCommitBlock.class, "eachWriteMayBeLostUntilItIsFlushed"),
            Map.entry(AcknowledgesBeforeItIsDurable.class, "aCommitReturnsWhenItIsDurable"),
            Map.entry(NoFlushBeforeTheLogIsEmptied.class, "eachWriteMayBeLostUntilItIsFlushed"),
            Map.entry(ForgetsRevokes.class, "aFreedBlockIsNotReplayedOverItsNewUse"),
            Map.entry(ForgetsThatTheLogIsNotEmpty.class, "theLogGoesRound"),
            Map.entry(DoesNotEscape.class, "aBlockThatLooksLikeAControlBlockIsEscaped"),
            Map.entry(DoesNotSeal.class, "aCheckpointWritesWhatIsDurableOnly"),
            Map.entry(RevokesForGood.class, "aFreedBlockThatIsMetadataAgainIsReplayed"),
            Map.entry(UsesNumbersTwice.class, "transactionNumbersGoOn"),
            Map.entry(ReplaysWhatIsRevoked.class, "aFreedBlockIsNotReplayedOverItsNewUse"),
            Map.entry(OpensAnyLog.class, "aLogThatHoldsSomethingIsNotOpened"),
            Map.entry(HidesItsAbort.class, "aLogThatHoldsSomethingIsNotOpened"));

    @TestFactory
    Stream<DynamicTest> aMistakeIsFound() {
        return MISTAKES.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey().getSimpleName(),
                        () -> assertThat(ContractRun.of(each.getKey(), LIMIT_SECONDS, each.getValue())
                                        .failed())
                                .as("tests that fail")
                                .containsExactly(each.getValue())));
    }

    @Test
    void withoutAMistakeTheSameTestsPass() {
        String[] tests = Set.copyOf(MISTAKES.values()).toArray(String[]::new);
        ContractRun run = ContractRun.of(Right.class, LIMIT_SECONDS, tests).assertPassed();
        assertThat(run.passed()).isEqualTo(tests.length);
    }

    /** The plain provider, with another log writer or another host. */
    abstract static class Planted extends Jbd2JournalContract {
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier);
        }

        JournalHost host(JournalHost host) {
            return host;
        }

        @Override
        protected JournalProvider provider() {
            return new JournalProvider() {
                @Override
                public boolean journals() {
                    return true;
                }

                @Override
                public JournalRecovery recover(JournalHost host) {
                    return new Recovery(Planted.this.host(host)).run();
                }

                @Override
                public Journal open(JournalHost host, JournalOptions options) {
                    JournalHost planted = Planted.this.host(host);
                    return new PlainJournal(planted, options, writer(LogArea.toWrite(planted), options.barrier()));
                }
            };
        }
    }

    static final class Right extends Planted {}

    static final class NoFlushBeforeTheCommitBlock extends Planted {
        @Override
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier) {
                private boolean writing;

                @Override
                void write(Collection<Version> versions, Collection<Long> revokes) {
                    writing = true;
                    super.write(versions, revokes);
                    writing = false;
                }

                @Override
                void flush() {
                    if (!writing) {
                        super.flush();
                    }
                }
            };
        }
    }

    static final class AcknowledgesBeforeItIsDurable extends Planted {
        @Override
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier) {
                private boolean committing;

                @Override
                void commit() {
                    committing = true;
                    super.commit();
                    committing = false;
                }

                @Override
                void flush() {
                    if (!committing) {
                        super.flush();
                    }
                }
            };
        }
    }

    static final class NoFlushBeforeTheLogIsEmptied extends Planted {
        @Override
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier) {
                private boolean home;

                @Override
                void writeHome(long pblk, byte[] version) {
                    super.writeHome(pblk, version);
                    home = true;
                }

                @Override
                void flush() {
                    if (!home) {
                        super.flush();
                    }
                    home = false;
                }
            };
        }
    }

    static final class ForgetsRevokes extends Planted {
        @Override
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier) {
                @Override
                void write(Collection<Version> versions, Collection<Long> revokes) {
                    super.write(versions, List.of());
                }
            };
        }
    }

    static final class ForgetsThatTheLogIsNotEmpty extends Planted {
        @Override
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier) {
                @Override
                int free() {
                    return capacity();
                }
            };
        }
    }

    static final class DoesNotEscape extends Planted {
        @Override
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier) {
                @Override
                boolean mustEscape(byte[] bytes) {
                    return false;
                }
            };
        }
    }

    static final class RevokesForGood extends Planted {
        @Override
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier) {
                private final Set<Long> all = new TreeSet<>();

                @Override
                void write(Collection<Version> versions, Collection<Long> revokes) {
                    all.addAll(revokes);
                    super.write(versions, all);
                }
            };
        }
    }

    static final class DoesNotSeal extends Planted {
        @Override
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier) {
                @Override
                void writeHome(long pblk, byte[] version) {
                    byte[] unsealed = version.clone();
                    unsealed[unsealed.length - 1]++;
                    super.writeHome(pblk, unsealed);
                }
            };
        }
    }

    static final class UsesNumbersTwice extends Planted {
        @Override
        JournalHost host(JournalHost host) {
            return new Host(host) {
                @Override
                public long newestTid() {
                    return 0;
                }
            };
        }
    }

    static final class ReplaysWhatIsRevoked extends Planted {
        @Override
        protected JournalProvider provider() {
            JournalProvider right = super.provider();
            return new Provider(right) {
                @Override
                public JournalRecovery recover(JournalHost host) {
                    return right.recover(new Host(host) {
                        @Override
                        public BlockDevice device() {
                            return new WithoutRevokes(below.device());
                        }
                    });
                }
            };
        }
    }

    static final class OpensAnyLog extends Planted {
        @Override
        protected JournalProvider provider() {
            JournalProvider right = super.provider();
            return new Provider(right) {
                @Override
                public Journal open(JournalHost host, JournalOptions options) {
                    right.recover(host);
                    return right.open(host, options);
                }
            };
        }
    }

    static final class HidesItsAbort extends Planted {
        @Override
        LogWriter writer(LogArea log, boolean barrier) {
            return new LogWriter(log, barrier) {
                @Override
                void recordError(int errno) {
                    super.recordError(0);
                }
            };
        }
    }
}
