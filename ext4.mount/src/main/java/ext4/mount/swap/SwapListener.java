// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

/** Service within this bundle: hears of what happens to the parts of mounts. */
@FunctionalInterface
public interface SwapListener {
    /** Called on the coordinator's thread when all is done; returns soon. */
    void happened(SwapEvent event);
}
