// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.FileSystem;
import ext4.api.fs.MountPoint;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import org.osgi.service.component.annotations.Component;

/** Mounts through {@code /dev/fuse}, read and written on cloned descriptors. */
@Component(service = Transport.class, property = Transport.NAME + "=" + FuseTransport.TITLE)
public final class FuseTransport implements Transport {
    static final String TITLE = "fuse";

    static {
        Preload.all();
    }

    @Override
    public void check(MountPoint where) {
        Door.check(where);
    }

    @Override
    public TransportSession mount(MountPoint where, FileSystem fs) {
        return Door.open(where, fs, false);
    }

    @Override
    public TransportSession resume(MountPoint where, FileSystem fs, TransportState state) {
        if (!state.transport().equals(TITLE)) {
            throw new UnsupportedOperationException("requests of this mount come over '" + state.transport()
                    + "', and the kernel does not send them another way again; unmount first");
        }
        return Door.resume(where, fs, state);
    }

    @Override
    public void discard(MountPoint where, TransportState state) {
        Door.discard(where, state);
    }
}
