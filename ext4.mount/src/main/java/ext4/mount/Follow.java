// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.api.keep.Kept;
import ext4.api.mount.MountException;
import ext4.mount.kept.MountKeep;
import ext4.mount.kept.Suspended;
import ext4.mount.swap.PartSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on with a mount that another process left, by its death or in order. The image is adopted with what the kernel knows,
 * then the keeper is told, and only then is a request read: so of two processes never both serve it, and this one may still
 * refuse until then.
 */
final class Follow {
    private static final Logger LOG = LoggerFactory.getLogger(Follow.class);

    private final MountConfig config;
    private final Parts parts;
    private final MountKeep keep;
    private final Kept left;

    Follow(MountConfig own, Parts parts, MountKeep keep, Kept left) {
        config = KeptConfig.changed(own, left.words());
        this.parts = parts;
        this.keep = keep;
        this.left = left;
    }

    /** Brings it up; on a throw nothing stays open, and the keeper knows why. */
    MountStack.Up up() throws MountException {
        try {
            String missing = parts.missingFor(config); // the process before may have had others
            if (missing != null) {
                throw new MountException(missing);
            }
            return adopted();
        } catch (MountException | RuntimeException | Error e) {
            keep.refuses(PartSwitch.reason(e));
            throw e;
        }
    }

    private MountStack.Up adopted() throws MountException {
        MountDevice device = new MountDevice(parts.device(config), config.image(), config.readOnly());
        MountStack stack = null;
        try {
            MountStack.Services with = MountStack.services(config, parts, device);
            Lease lease = new Lease(device, true);
            PinnedInodes pins = left.nodes().pinned();
            Suspended.wasClean(left.words(), pins);
            CoreFileSystem core = with.core()
                    .service()
                    .adopt(
                            lease,
                            config.options().options(),
                            with.journal().service(),
                            with.strategy().name(),
                            with.strategy().service(),
                            pins);
            stack = new MountStack(
                    config, device, lease, core, with.journal().service().journals());
            stack.keptBy(keep);
            keep.serves();
            serve(stack, with, pins);
            return new MountStack.Up(stack, with);
        } catch (MountException | RuntimeException | Error e) {
            giveUp(stack, device, e);
            throw e;
        }
    }

    private void serve(MountStack stack, MountStack.Services with, PinnedInodes pins) {
        TransportState connection = left.connection();
        TransportSession session = with.transport().service().resume(stack.where(), stack.served, connection);
        stack.session = session;
        keep.serve(session);
        stack.followed = Suspended.told(left, pins);
        LOG.info("{}: goes on, {}", config.mountpoint(), stack.followed);
    }

    /** As if this process had died: what the kernel knows is left as it is for the next. */
    private static void giveUp(MountStack stack, MountDevice device, Throwable cause) {
        try (device) {
            if (stack != null) {
                stack.core.freeze();
                stack.core.close();
            }
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
