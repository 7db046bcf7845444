// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.MountOptions;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.lab.stack.Stack;
import java.io.IOException;

/**
 * Looks at what is on a medium after its device went wrong and works again: recovered by this project, and by e2fsck on a copy,
 * all must be there that was promised. Without a journal the second is the recovery.
 */
final class Judge {
    private static final int UNCORRECTED = 4;

    private final Case what;
    private final Snapshot end;
    private final Model model;
    private final Trial.Mounted mounted;
    private final Fsck fsck;

    /** @param mounted how the mount ended, or null if there was none */
    Judge(Case what, Snapshot end, Model model, Trial.Mounted mounted, Fsck fsck) {
        this.what = what;
        this.end = end;
        this.model = model;
        this.mounted = mounted;
        this.fsck = fsck;
    }

    void judge(Outcome outcome) throws IOException {
        if (mounted != null && mounted.errors() > 0 && mounted.recordable()) {
            recorded(end, "", outcome);
        }
        byte[] sb = superblock(end);
        boolean sound = what.setting().journal()
                || (SuperblockFields.state(sb, 0) & (Superblock.STATE_VALID | Superblock.STATE_ERROR))
                        == Superblock.STATE_VALID;
        if (sound) {
            here(outcome);
        }
        repaired(outcome);
    }

    private static byte[] superblock(Snapshot image) {
        return image.bytes(Superblock.BYTE_OFFSET, Superblock.SIZE);
    }

    private static void recorded(Snapshot image, String when, Outcome outcome) {
        byte[] sb = superblock(image);
        if ((SuperblockFields.state(sb, 0) & Superblock.STATE_ERROR) == 0) {
            outcome.lost.add("the superblock does not tell of the error" + when);
        } else if (SuperblockFields.errorCount(sb, 0) == 0
                || SuperblockFields.firstErrorTime(sb, 0) == 0
                || SuperblockFields.lastErrorTime(sb, 0) == 0
                || SuperblockFields.lastErrorFunction(sb, 0).isBlank()) {
            outcome.lost.add("the superblock's error fields are not filled in" + when + ": count "
                    + SuperblockFields.errorCount(sb, 0) + ", first " + SuperblockFields.firstErrorTime(sb, 0)
                    + ", last " + SuperblockFields.lastErrorTime(sb, 0) + " in "
                    + SuperblockFields.lastErrorFunction(sb, 0));
        }
    }

    private void here(Outcome outcome) throws IOException {
        Medium medium = new Medium(end);
        try (CoreFileSystem fs = mount(medium)) {
            model.missing(Tree.read(fs, true)).forEach(each -> outcome.lost.add("recovered here: " + each));
        } catch (Ext4Exception e) {
            outcome.lost.add("recovered here: " + e);
            return;
        }
        Snapshot recovered = medium.end();
        boolean marked = (SuperblockFields.state(superblock(recovered), 0) & Superblock.STATE_ERROR) != 0;
        if (mounted != null && mounted.errors() > 0 && mounted.recordable()) {
            recorded(recovered, " after recovery", outcome);
        }
        if (!marked) {
            Fsck.Result result = fsck.look(recovered);
            if (result.exit() != 0) {
                outcome.lost.add("recovered here: e2fsck -fn exits with " + result.exit() + ":\n" + result.output());
            }
        }
    }

    private CoreFileSystem mount(Medium medium) {
        return Stack.mount(
                new FaultDevice(medium),
                Setting.options(MountOptions.Errors.CONTINUE),
                what.setting().strategy());
    }

    private void repaired(Outcome outcome) throws IOException {
        Fsck.Result result = fsck.repair(end);
        if (result.exit() >= UNCORRECTED) {
            outcome.lost.add("e2fsck -fy exits with " + result.exit() + ":\n" + result.output());
            return;
        }
        try (CoreFileSystem fs = mount(new Medium(result.image()))) {
            Tree tree = Tree.read(fs, what.setting().journal());
            tree.cut(result.madeLonger());
            model.missing(tree)
                    .forEach(each -> outcome.lost.add("recovered by e2fsck: " + each + "\n" + result.output()));
        } catch (Ext4Exception e) {
            outcome.lost.add("recovered by e2fsck: " + e + "\n" + result.output());
        }
    }
}
