// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Ext4Exception;
import ext4.lab.stack.Stack;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** One session with one fault: mounted, worked on, unmounted, judged; all in threads of its own, and in bounded time. */
final class Trial {
    private static final long LIMIT_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final Case what;
    private final Session session;
    private final long failAt;
    private final Geometry geometry;
    private final Fsck fsck;
    private final Outcome outcome = new Outcome();

    /** @param back operations earlier than the case says, for a run that has a few less than the first */
    Trial(Case what, Session session, long back, Geometry geometry, Fsck fsck) {
        this.what = what;
        this.session = session;
        this.geometry = geometry;
        this.fsck = fsck;
        failAt = Math.max(0, what.operation() - session.first() - back);
    }

    Outcome run() throws InterruptedException {
        TrialThreads threads = new TrialThreads(what.toString());
        Thread thread = new Thread(threads, this::body, "trial");
        thread.setDaemon(true);
        thread.start();
        thread.join(LIMIT_MILLIS);
        if (thread.isAlive()) {
            Outcome stuck = new Outcome();
            stuck.hit = true;
            stuck.hangs.add("goes on for " + LIMIT_MILLIS / 1000 + " s:\n" + threads.stacks());
            return stuck;
        }
        for (Thread left : threads.left(thread)) {
            outcome.hangs.add("thread left: " + left.getName() + "\n" + threads.stacks());
        }
        outcome.foreign.addAll(threads.foreign());
        return outcome;
    }

    private void body() {
        Medium medium = new Medium(session.image());
        FaultDevice device = new FaultDevice(medium, what.way(), failAt, session.seed() + what.operation());
        Model model = session.begin().copy();
        Mounted end = work(device, model);
        outcome.hit = device.hit() != null;
        device.heal();
        if (!outcome.hit) {
            return;
        }
        try {
            new Judge(what, medium.end(), model, end, fsck).judge(outcome);
        } catch (IOException e) {
            outcome.lost.add("e2fsck could not be asked: " + e);
        }
    }

    /**
     * How the mount was when it ended.
     *
     * @param errors that it counted
     * @param recordable whether the device worked when it ended
     */
    record Mounted(long errors, boolean recordable) {}

    /** Null if it was not mounted. */
    private Mounted work(FaultDevice device, Model model) {
        CoreFileSystem fs;
        try {
            fs = Stack.mount(
                    device, Setting.options(what.errors()), what.setting().strategy());
        } catch (Ext4Exception e) {
            if (device.hit() == null) {
                outcome.lost.add("not mounted: " + e);
            }
            return null;
        }
        boolean mounting = device.hit() != null;
        Load load = new Load(fs, model, session.seed());
        load.run(Lineage.STEPS);
        boolean healed = what.way().healsEarly(session.seed() + what.operation());
        boolean before = device.hit() != null;
        if (healed && before) {
            device.heal();
        }
        boolean vital = !mounting
                && device.hit() != null
                && device.hit().kind() == FaultDevice.Kind.READ
                && failsReads()
                && geometry.isVital(device.hit().offset());
        Answers answers = new Answers(fs, what.errors(), vital, healed);
        outcome.lost.addAll(load.complaints);
        outcome.lost.addAll(answers.check());
        return unmount(fs, model, what.way().isOnce() || healed && before);
    }

    private boolean failsReads() {
        return switch (what.way()) {
            case ERROR_ONCE, ERROR_ON, SHORT_ONCE, SHORT_ON, GONE, GONE_FOR_A_WHILE -> true;
            default -> false;
        };
    }

    private Mounted unmount(CoreFileSystem fs, Model model, boolean works) {
        boolean complete = !fs.readOnly();
        try {
            fs.close();
        } catch (Ext4Exception e) {
            complete = false; // the operator is told
        }
        if (complete && Answers.aborted(fs) == null) {
            model.allDurable();
        }
        return new Mounted(Answers.errors(fs), works);
    }
}
