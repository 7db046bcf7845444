// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.lab.diff.Snapshot.Order;
import ext4.sys.VolumeStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Two equal new images, one on each side, and steps done on both. */
final class Trial implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final String SLOT = "slot ";

    private final Ground ground;
    private final KernelSide kernel;
    private final Side ours;
    private final Times times;
    private final List<Difference> found = new ArrayList<>();
    private Path kernelImage;
    private Path oursImage;
    private String kernelAnswer = "";

    /** On new images. */
    Trial(Ground ground, Setting setting, KernelSide kernel, Side ours) {
        this.ground = ground;
        this.kernel = kernel;
        this.ours = ours;
        times = new Times(!setting.options().contains("-I 128"));
        ground.make(setting.options(), setting.bytes(), setting.uuid());
        kernelImage = ground.first();
        oursImage = ground.second();
        mount();
    }

    private void mount() {
        kernel.mount(kernelImage);
        ours.mount(oursImage);
    }

    /** What the kernel answered to the step done last. */
    String kernelAnswer() {
        return kernelAnswer;
    }

    /** Does a step on both; what differs then, empty if nothing. */
    List<Difference> step(Step step) {
        found.clear();
        if (step.verb() == Verb.CHECK) {
            kernelAnswer = "";
            check();
            return found;
        }
        long kernelStart = Times.now();
        kernelAnswer = Performer.run(step, kernel.calls());
        long between = Times.now();
        String oursAnswer = Performer.run(step, ours.calls());
        times.step(kernelStart, between, between, Times.now());
        if (!kernelAnswer.equals(oursAnswer)) {
            found.add(new Difference(name(step) + ": result", step.toString(), kernelAnswer, oursAnswer));
        }
        for (String path : touched(step)) {
            Performer.Look k = Performer.look(kernel.calls(), path);
            Performer.Look o = Performer.look(ours.calls(), path);
            compare(step, path, k, o);
        }
        for (int slot : step.slots()) {
            if (kernel.calls().isOpen(slot) && ours.calls().isOpen(slot)) {
                Performer.Look k = Performer.look(kernel.calls(), slot);
                Performer.Look o = Performer.look(ours.calls(), slot);
                compare(step, SLOT + slot, k, o);
            }
        }
        return found;
    }

    private void compare(Step step, String about, Performer.Look k, Performer.Look o) {
        if (!k.text().equals(o.text())) {
            found.add(new Difference(name(step) + ": attributes", about, k.text(), o.text()));
        } else if (k.status() != null) {
            if (isNew(step, about)) {
                times.isNew(k.status(), o.status());
            }
            String[] moved = times.moved(k.status(), o.status());
            if (!moved[0].equals(moved[1])) {
                found.add(new Difference(name(step) + ": times", about, moved[0], moved[1]));
            }
        }
    }

    private boolean isNew(Step step, String about) {
        if (!kernelAnswer.equals("0")) {
            return false;
        }
        return switch (step.verb()) {
            case MKDIR, MKNOD, SYMLINK -> about.equals(step.text(0));
            case CREATE -> about.equals(step.text(1)) || about.startsWith(SLOT);
            case TMPFILE -> about.startsWith(SLOT);
            default -> false;
        };
    }

    private static String name(Step step) {
        return step.verb().name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The step's paths and their directories. */
    private static Set<String> touched(Step step) {
        Set<String> touched = new LinkedHashSet<>();
        for (String path : step.paths()) {
            if (!path.endsWith(".")) {
                touched.add(path); // "." and ".." may lie beyond the root
            }
            int slash = path.lastIndexOf('/');
            touched.add(slash < 0 ? "" : path.substring(0, slash));
        }
        return touched;
    }

    private void check() {
        kernel.calls().closeSlots();
        ours.calls().closeSlots();
        kernel.calls().sync();
        ours.calls().sync();
        Snapshot byKernel = Snapshot.of(kernel.calls(), Order.ATTRIBUTES_LAST);
        Snapshot byOurs = Snapshot.of(ours.calls(), Order.ATTRIBUTES_LAST);
        found.addAll(Comparison.live(byKernel, byOurs, times));
        byOurs = settled(byKernel, byOurs);
        found.addAll(Comparison.volumes(byKernel, byOurs));
        Maps kernelMaps = new Maps(kernel.calls(), byKernel);
        kernel.unmount();
        ours.unmount();
        String problems = ground.check();
        if (!problems.isEmpty()) {
            found.add(new Difference("e2fsck", "", "", problems));
        }
        Path image = kernelImage;
        kernelImage = oursImage;
        oursImage = image;
        mount();
        times.clear();
        Snapshot nowByOurs = Snapshot.of(ours.calls(), Order.ATTRIBUTES_FIRST);
        Snapshot nowByKernel = Snapshot.of(kernel.calls(), Order.ATTRIBUTES_FIRST);
        found.addAll(Comparison.same("the kernel's image here", byKernel, nowByOurs));
        found.addAll(Comparison.same("our image there", nowByKernel, byOurs));
        if (found.isEmpty()) {
            found.addAll(Comparison.mapped(byKernel, byOurs, kernelMaps, new Maps(kernel.calls(), nowByKernel)));
        }
    }

    /** Through FUSE the kernel tells later that it has forgotten an inode, which is freed then: waits a little for that. */
    private Snapshot settled(Snapshot byKernel, Snapshot byOurs) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        Snapshot now = byOurs;
        while (!Comparison.volumes(byKernel, now).isEmpty() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            VolumeStatus volume = ours.calls().statfs();
            if (volume.equals(now.volume()) && Comparison.areListed(Comparison.volumes(byKernel, now))) {
                return now;
            }
            now = new Snapshot(byOurs.items(), volume);
        }
        return now;
    }

    @Override
    public void close() {
        kernel.unmount();
        ours.unmount();
    }
}
