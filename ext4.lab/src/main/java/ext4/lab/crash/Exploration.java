// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import ext4.lab.crash.image.BaseImage;
import ext4.lab.crash.image.Image;
import ext4.lab.crash.image.ImageDevice;
import ext4.lab.crash.load.Expectation;
import ext4.lab.crash.load.Plan;
import ext4.lab.crash.load.Recording;
import ext4.lab.crash.load.Snapshot;
import ext4.testkit.device.DeviceEvent;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/**
 * All states of one recording: the image after each write, and after it some in which, of the writes since the last flush,
 * some are lost or torn. Images belong to the explorer's thread and are used again for the next recording.
 */
final class Exploration {
    /** Of so many states recovery is interrupted in one. */
    private static final int INTERRUPTED_ONE_IN = 100;

    /** Of so many states the kernel recovers one. */
    private static final int KERNEL_ONE_IN = 500;

    /** States with writes lost or torn, after each write. */
    private static final int SUBSETS = 2;

    /** More writes than these since a flush are those of a checkpoint: only some of them are looked at so closely. */
    private static final int FEW_WRITES = 8;

    private final Judge judge;
    private final Ledger ledger;
    private final Image whole;
    private final Image flushed;
    private final Image torn;
    private final Image interrupted;

    private Recording recording;
    private Plan plan;
    private Random random;
    private final Map<Long, Judge.Trees> here = new HashMap<>();

    Exploration(BaseImage base, Judge judge, Ledger ledger) {
        this.judge = judge;
        this.ledger = ledger;
        whole = new Image(base.image());
        flushed = new Image(base.image());
        torn = new Image(base.image());
        interrupted = new Image(base.image());
    }

    void explore(BaseImage base, Plan toDo, Recording recorded) throws IOException {
        plan = toDo;
        recording = recorded;
        random = new Random(plan.number() * 31L + ledger.seed());
        here.clear();
        Image begin = new Image(base.image());
        whole.become(begin);
        flushed.become(begin);
        List<DeviceEvent> events = recording.events();
        int flushedAt = 0;
        for (int n = 1; n <= events.size() && !ledger.enough(); n++) {
            if (!(events.get(n - 1) instanceof DeviceEvent.Write write)) {
                flushed.become(whole);
                flushedAt = n;
                continue;
            }
            whole.put((int) write.offset(), write.data(), 0, write.data().length);
            if (n <= recording.from()) {
                continue;
            }
            state(whole, n, throughFlushes(n), "", ledger.tally().prefixes);
            for (int i = 0; i < SUBSETS; i++) {
                if (n - flushedAt <= FEW_WRITES || random.nextInt(FEW_WRITES) == 0) {
                    tear(events, flushedAt, n);
                    state(torn, n, n, ", writes since " + flushedAt + " lost or torn", ledger.tally().torn);
                }
            }
        }
    }

    /** The bytes after event {@code n} are also those after the flushes that follow it. */
    private int throughFlushes(int n) {
        int position = n;
        List<DeviceEvent> events = recording.events();
        while (position < events.size() && events.get(position) instanceof DeviceEvent.Flush) {
            position++;
        }
        return position;
    }

    /** Either one write is lost, or each by chance, or only the last and some are there. */
    private void tear(List<DeviceEvent> events, int from, int to) {
        torn.become(flushed);
        int how = random.nextInt(3);
        int one = from + random.nextInt(to - from);
        for (int i = from; i < to; i++) {
            DeviceEvent.Write write = (DeviceEvent.Write) events.get(i);
            int chance = switch (how) {
                case 0 -> i == one ? 1 + random.nextInt(2) : 0;
                case 1 -> random.nextInt(3);
                default -> i == to - 1 ? 0 : 1 + random.nextInt(2);
            };
            if (chance == 0) {
                torn.put((int) write.offset(), write.data(), 0, write.data().length);
            } else if (chance == 2) {
                sectors(write);
            }
        }
    }

    /** The superblock is never torn: nothing that knows ext4 could mount it then. */
    private void sectors(DeviceEvent.Write write) {
        boolean superblock = random.nextBoolean();
        for (int at = 0; at < write.data().length; at += ImageDevice.SECTOR) {
            int offset = (int) write.offset() + at;
            boolean there = offset / Image.BLOCK == 1 ? superblock : random.nextBoolean();
            if (there) {
                torn.put(offset, write.data(), at, ImageDevice.SECTOR);
            }
        }
    }

    private void state(Image image, int n, int acknowledged, String how, LongAdder sort) throws IOException {
        long hash = image.hash();
        Expectation expected = new Expectation(recording.history(), acknowledged);
        String when =
                plan + ", crash after event " + n + " of " + recording.events().size() + how;
        try {
            Judge.Trees trees = here.get(hash);
            if (trees == null) {
                if (!ledger.fresh(hash)) {
                    return;
                }
                sort.increment();
                trees = judge.judge(image, Judge.Recoverer.of(hash), Math.floorMod(hash, KERNEL_ONE_IN) == 1);
                here.put(hash, trees);
                compare(trees, expected);
                if (Math.floorMod(hash >>> 9, INTERRUPTED_ONE_IN) == 1 && image != interrupted) {
                    interrupt(image, n, acknowledged, how, Judge.Recoverer.of(hash));
                }
            } else {
                compare(trees, expected);
            }
        } catch (Wrong e) {
            ledger.wrong(when, e, recording.history().describe(n), image);
        }
    }

    private static void compare(Judge.Trees trees, Expectation expected) throws Wrong {
        compare("recovered here", trees.here(), expected, true);
        compare("recovered by e2fsck", trees.byE2fsck(), expected, false);
        compare("recovered by the kernel", trees.byTheKernel(), expected, false);
    }

    private static void compare(String how, Snapshot found, Expectation expected, boolean exact) throws Wrong {
        String difference = found == null ? null : expected.differs(found, exact);
        if (difference != null) {
            throw new Wrong(how + ": " + difference);
        }
    }

    /** The power is cut again after each write of the recovery. */
    private void interrupt(Image image, int n, int acknowledged, String how, Judge.Recoverer by)
            throws Wrong, IOException {
        List<DeviceEvent> events = judge.writes(image, by);
        interrupted.become(image);
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof DeviceEvent.Write write) {
                interrupted.put((int) write.offset(), write.data(), 0, write.data().length);
                String when = how + ", recovery cut after event " + (i + 1) + " of " + events.size();
                state(interrupted, n, acknowledged, when, ledger.tally().interrupted);
            }
        }
    }
}
