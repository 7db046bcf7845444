// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountPoint;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.fuse.ring.RingSupport;
import org.osgi.service.component.annotations.Component;

/**
 * Mounts with requests over io_uring, which costs half of what reads and writes of {@code /dev/fuse} do. It is the better
 * one where the host allows it. A bundle's components are registered in the order of their names, and this one comes
 * before {@link FuseTransport}, so a mount that waits for a transport gets this one.
 */
@Component(
        service = Transport.class,
        property = {Transport.NAME + "=" + FuseRingTransport.TITLE, "service.ranking:Integer=100"})
public final class FuseRingTransport implements Transport {
    static final String TITLE = "fuse-uring";

    static {
        Preload.all();
    }

    @Override
    public String unavailable() {
        try {
            NativeUse.check(); // before the first system call, which finding out takes
        } catch (DeviceException e) {
            return e.getMessage();
        }
        return RingSupport.refusal();
    }

    @Override
    public void check(MountPoint where) {
        String refusal = unavailable();
        if (refusal != null) {
            throw new DeviceException("transport " + TITLE + ": " + refusal);
        }
        Door.check(where);
    }

    @Override
    public TransportSession mount(MountPoint where, FileSystem fs) {
        return Door.open(where, fs, true);
    }

    @Override
    public TransportSession resume(MountPoint where, FileSystem fs, TransportState state) {
        boolean overRing = state.transport().equals(TITLE);
        boolean gaveUp = state.transport().equals(FuseTransport.TITLE)
                && Connection.asked(state).equals(TITLE);
        if (!overRing && !gaveUp) { // the latter was mounted by this transport, on a kernel that did not go along
            throw new UnsupportedOperationException("requests of this mount come over '" + state.transport()
                    + "', since it was not mounted for io_uring; unmount first");
        }
        return Door.resume(where, fs, state);
    }

    @Override
    public void discard(MountPoint where, TransportState state) {
        Door.discard(where, state);
    }
}
