// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.block.BlockDevice;
import ext4.testkit.run.ContractRun;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A device that is right passes the contract; each planted mistake fails the test that is there for it. */
class DeviceContractFindsMistakesTest {
    @Test
    void aDeviceThatIsRightPasses() {
        ContractRun run = ContractRun.of(Right.class).assertPassed();
        assertThat(run.passed()).isGreaterThanOrEqualTo(12);
        assertThat(run.skipped()).isZero();
    }

    /** The mistake, and the test that must find it. */
    private static final Map<Class<?>, String> MISTAKES = Map.ofEntries(
            Map.entry(FlushForgetsTheLastSector.class, "keepsWhatWasFlushed"),
            Map.entry(FlushDoesNothing.class, "aFlushIsForTheWritesOfAllThreads"),
            Map.entry(ReadsShort.class, "movesTheBytesBetweenPositionAndLimit"),
            Map.entry(ReadsToTheEndOnly.class, "refusesWhatLiesOutside"),
            Map.entry(WritesTheWholeBuffer.class, "movesTheBytesBetweenPositionAndLimit"),
            Map.entry(ZeroesOneTooFew.class, "behavesAsAnArray"),
            Map.entry(ZeroIsNotDurable.class, "keepsWhatWasFlushed"),
            Map.entry(DiscardReachesTooFar.class, "behavesAsAnArray"),
            Map.entry(ReadsWhenClosed.class, "aClosedDeviceRefusesEverything"),
            Map.entry(WritesThoughReadOnly.class, "openForReadingItRefusesEachWrite"),
            Map.entry(GrowsAtItsEnd.class, "saysWhatItIs"),
            Map.entry(SharesABuffer.class, "manyThreadsEachWithSectorsOfItsOwn"),
            Map.entry(SwallowsTheInterrupt.class, "anInterruptedThreadLosesNothingAndClosesNothing"));

    @TestFactory
    Stream<DynamicTest> aMistakeIsFound() {
        return MISTAKES.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey().getSimpleName(),
                        () -> assertThat(ContractRun.of(each.getKey()).failed())
                                .as("tests that fail")
                                .contains(each.getValue())));
    }

    static final class Right extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly);
        }
    }

    static final class FlushForgetsTheLastSector extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public synchronized void flush() {
                    dirty.clear(Math.max(0, dirty.length() - 1));
                    super.flush();
                }
            };
        }
    }

    static final class FlushDoesNothing extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public synchronized void flush() {
                    check(0, 0);
                }
            };
        }
    }

    static final class ReadsShort extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public synchronized void read(long offset, ByteBuffer dst) {
                    ByteBuffer part = dst.duplicate().limit(dst.position() + Math.min(4096, dst.remaining()));
                    check(offset, dst.remaining());
                    super.read(offset, part);
                    dst.position(part.position());
                }
            };
        }
    }

    /** As read(2) does at the end of a file. */
    static final class ReadsToTheEndOnly extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public synchronized void read(long offset, ByteBuffer dst) {
                    if (offset >= 0 && offset <= size() && dst.remaining() > size() - offset) {
                        dst.limit(dst.position() + (int) (size() - offset));
                    }
                    super.read(offset, dst);
                }
            };
        }
    }

    static final class WritesTheWholeBuffer extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public synchronized void write(long offset, ByteBuffer src) {
                    if (src.hasArray() && src.position() > 0 && offset + src.limit() <= size()) {
                        super.write(offset, src.duplicate().position(0));
                        src.position(src.limit());
                    } else {
                        super.write(offset, src);
                    }
                }
            };
        }
    }

    static final class ZeroesOneTooFew extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public void zero(long offset, long length) {
                    super.zero(offset, length > 1 ? length - 1 : length);
                }
            };
        }
    }

    static final class ZeroIsNotDurable extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public synchronized void zero(long offset, long length) {
                    checkWritable();
                    check(offset, length);
                    Arrays.fill(cache, (int) offset, (int) (offset + length), (byte) 0);
                }
            };
        }
    }

    static final class DiscardReachesTooFar extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public synchronized void discard(long offset, long length) {
                    int from = (int) offset / SECTOR * SECTOR;
                    Arrays.fill(cache, from, (int) (offset + length), (byte) 0xEE);
                }
            };
        }
    }

    static final class ReadsWhenClosed extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                void check(long offset, long length) {
                    if (offset < 0 || offset > size() - length) {
                        super.check(offset, length);
                    }
                }
            };
        }
    }

    static final class WritesThoughReadOnly extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                void checkWritable() {}
            };
        }
    }

    static final class GrowsAtItsEnd extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public long size() {
                    return (super.size() + 4095) / 4096 * 4096;
                }
            };
        }
    }

    static final class SharesABuffer extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                private byte[] buffer = new byte[0];

                @Override
                public void write(long offset, ByteBuffer src) {
                    if (buffer.length != src.remaining()) {
                        buffer = new byte[src.remaining()];
                    }
                    byte[] mine = buffer;
                    src.get(mine);
                    Thread.yield();
                    super.write(offset, ByteBuffer.wrap(mine));
                }
            };
        }
    }

    static final class SwallowsTheInterrupt extends CachedDeviceContract {
        @Override
        BlockDevice device(byte[] bytes, boolean readOnly) {
            return new CachedDevice(bytes, readOnly) {
                @Override
                public void write(long offset, ByteBuffer src) {
                    Thread.interrupted();
                    super.write(offset, src);
                }
            };
        }
    }
}
