// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.SwapReport;
import ext4.api.fs.SwapReport.Part;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanPlace;
import ext4.mount.swap.Coordinator;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** What an operator asks of a mount: done on its coordinator's thread, then written into its configuration. */
final class Operator {
    private final ManagedMount mount;
    private final Coordinator coordinator;
    private final MountRecord record;

    Operator(ManagedMount mount, Coordinator coordinator, MountRecord record) {
        this.mount = mount;
        this.coordinator = coordinator;
        this.record = record;
    }

    /** As {@link Mount#unmount}. */
    void unmount() throws MountException {
        boolean was = coordinator.call(mount::goDownUnlessBusy);
        boolean deleted;
        try {
            deleted = record.delete();
        } catch (IOException e) {
            throw new MountException(
                    mount.mountpoint() + ": unmounted, but its configuration stays: " + e.getMessage());
        }
        if (!was && !deleted) {
            throw new MountException(mount.mountpoint() + ": not mounted");
        }
        if (mount.state() == Mount.State.FAILED && mount.ended().isDone()) {
            throw new MountException(mount.failure());
        }
    }

    /** As {@link Mount#replace}. */
    SwapReport replace(Part part, String name) throws MountException {
        SwapReport report = coordinator.call(() -> {
            up();
            SwapReport done = mount.switches.replace(part, name);
            if (name != null) {
                mount.config = mount.config.named(part, name); // what is written below comes back as a change
                mount.tellKeeper();
            }
            return done;
        });
        if (name == null) {
            return report;
        }
        try {
            record.name(MountConfig.KEYS.get(part), name);
        } catch (IOException e) {
            throw new MountException("switched to '" + name + "', but its configuration can't be written, so the next"
                    + " mount will not know: " + e.getMessage());
        }
        return report;
    }

    /** As {@link Mount#remount}. */
    void remount(String options) throws MountException {
        boolean readOnly = coordinator.call(() -> {
            MountStack stack = up();
            // what is not named stays; the words before are in the configuration
            Object before = mount.latest.get(Mount.OPTIONS);
            String base = OptionString.withReadOnly(before == null ? "" : before.toString(), stack.readOnly());
            OptionString asked = OptionString.parse(base + "," + options);
            OptionString now = mount.config.options();
            if (!now.sameBut(asked) || !Objects.equals(now.orphan(), asked.orphan())) {
                throw new MountException(
                        mount.mountpoint() + ": a remount changes nothing but ro and rw; asked for '" + options + "'");
            }
            mount.remountAs(asked.options().readOnly());
            return asked.options().readOnly();
        });
        try {
            record.readOnly(readOnly);
        } catch (IOException e) {
            throw new MountException(
                    "remounted, but its configuration can't be written, so the next mount will not know: "
                            + e.getMessage());
        }
    }

    /** As {@link Mount#restart}. */
    String restart(Parts parts, Limits limits) throws MountException {
        MountStack stack = up();
        if (stack.keep == null) {
            throw new MountException(
                    mount.mountpoint() + ": its process can't be replaced: it has no keeper; mount it with -o keep");
        }
        stack.keep.prepare(); // with everything at work
        try {
            return coordinator.call(() -> new Restart(mount, up(), parts, limits).run());
        } finally {
            stack.keep.done();
        }
    }

    /** As {@link Mount#orphans}. */
    List<OrphanPlace> orphans() throws MountException {
        return coordinator.call(() -> up().core().orphans());
    }

    private MountStack up() throws MountException {
        if (mount.stack == null) {
            throw new MountException(mount.mountpoint() + ": not mounted");
        }
        return mount.stack;
    }
}
