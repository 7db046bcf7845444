// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.lab.crash.image.BaseImage;
import ext4.lab.crash.image.Image;
import ext4.lab.crash.image.ImageDevice;
import ext4.lab.crash.mutant.Mutant;
import ext4.testkit.device.DeviceEvent;
import java.util.List;

/**
 * What a workload did to a device.
 *
 * @param events all, from the mount on
 * @param from events before what is explored
 * @param history what the workload did
 */
public record Recording(List<DeviceEvent> events, int from, History history) {
    private static final int SWAP_EACH = 5;

    /**
     * Runs {@code plan} on a copy of {@code base}.
     *
     * @throws RuntimeException if something is wrong without any crash
     */
    public static Recording of(BaseImage base, Plan plan, Mutant mutant) {
        ImageDevice device = new ImageDevice(new Image(base.image()), true);
        BlockDevice seen = mutant.device(device, base);
        Parts parts = new Parts(seen, plan, mutant);
        CoreFileSystem fs = parts.mount();
        try {
            boolean spanning = plan.mixed() > 0 || plan.kind().full();
            World world = new World(fs, device::position, spanning);
            Ground.lay(world);
            int from = 0;
            if (plan.mixed() > 0) {
                from = mix(world, parts, plan, device);
            } else if (!plan.steps().isEmpty()) {
                from = steps(world, parts, plan, device);
            }
            if (plan.end()) {
                world.closeAll();
                fs.close();
            }
            return new Recording(device.events(), from, world.history());
        } finally {
            fs.close();
        }
    }

    /** Its end is explored: before, the log is filled. */
    private static int mix(World world, Parts parts, Plan plan, ImageDevice device) {
        Mixed mixed = new Mixed(world, plan.seed());
        int from = 0;
        for (int i = 0; i < plan.mixed(); i++) {
            if (i == plan.mixed() - Plan.MIXED_EXPLORED) {
                world.sync();
                world.begin();
                from = device.position();
            }
            mixed.step();
            if (i % SWAP_EACH == SWAP_EACH - 1) {
                parts.swap();
            }
        }
        return from;
    }

    /** A first step that another sequence consists of is not explored again. */
    private static int steps(World world, Parts parts, Plan plan, ImageDevice device) {
        world.begin();
        int from = device.position();
        for (int i = 0; i < plan.steps().size(); i++) {
            Step step = plan.steps().get(i);
            step.op().run(world, i + 1);
            boolean last = i == plan.steps().size() - 1;
            if (i == 0 && plan.mode().swaps()) {
                from = last ? from : device.position();
                parts.swap();
            }
            step.sync().run(world);
            if (!last && !plan.mode().swaps()) {
                from = device.position();
            }
        }
        return from;
    }
}
