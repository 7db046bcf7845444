// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.MountOptions;
import ext4.lab.stack.Stack;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The workload in one {@link Setting}, on a good device: mounts one after the other, each with a cold cache, some of which
 * end in a crash, so that the next one begins with recovery.
 */
final class Lineage {
    /** Steps of a session. */
    static final int STEPS = 24;

    private static final int CRASH_EACH = 3;

    private final Setting setting;
    private final List<Session> sessions = new ArrayList<>();

    private Lineage(Setting setting) {
        this.setting = setting;
    }

    /** Works until there were that many device operations. */
    static Lineage make(Setting setting, Snapshot fresh, long operations, long seed) {
        Lineage lineage = new Lineage(setting);
        Snapshot image = fresh;
        long first = 0;
        for (int n = 0; first < operations; n++) {
            Model begin = read(image, setting).model();
            long own = seed * 31 + n;
            Random random = new Random(own);
            Medium medium = new Medium(image);
            FaultDevice device = new FaultDevice(medium);
            CoreFileSystem fs = Stack.mount(device, Setting.options(MountOptions.Errors.CONTINUE), setting.strategy());
            Load load = new Load(fs, begin.copy(), own);
            load.run(STEPS);
            if (!load.complaints.isEmpty()) {
                throw new AssertionError("on a good device: " + load.complaints);
            }
            Snapshot next = setting.journal() && n % CRASH_EACH == CRASH_EACH - 1
                    ? crash(medium, device, fs, random)
                    : unmount(medium, fs);
            lineage.sessions.add(new Session(image, begin, first, device.operations(), own));
            first += device.operations();
            image = next;
        }
        return lineage;
    }

    private static Snapshot unmount(Medium medium, CoreFileSystem fs) {
        fs.close();
        return medium.end();
    }

    private static Snapshot crash(Medium medium, FaultDevice device, CoreFileSystem fs, Random random) {
        medium.lose(random);
        Snapshot image = medium.now();
        try {
            fs.close(); // of a machine that is gone: only its threads matter
        } catch (Ext4Exception e) {
            throw new AssertionError(device.name() + " works", e);
        }
        return image;
    }

    /** What is in an image, recovered on a copy. */
    private static Tree read(Snapshot image, Setting setting) {
        try (CoreFileSystem fs = Stack.mount(
                new FaultDevice(new Medium(image)),
                Setting.options(MountOptions.Errors.CONTINUE),
                setting.strategy())) {
            return Tree.read(fs, true);
        }
    }

    Setting setting() {
        return setting;
    }

    /** The session in which that device operation of the workload comes. */
    Session at(long operation) {
        Session found = sessions.getFirst();
        for (Session session : sessions) {
            if (session.first() <= operation) {
                found = session;
            }
        }
        return found;
    }

    int sessions() {
        return sessions.size();
    }
}
