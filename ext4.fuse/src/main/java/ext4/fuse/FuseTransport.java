// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.FileSystem;
import ext4.api.fs.MountPoint;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import org.osgi.service.component.annotations.Component;

/** Mounts through {@code /dev/fuse}, read and written on cloned descriptors. */
@Component(service = Transport.class, property = Transport.NAME + "=" + FuseTransport.TITLE)
public final class FuseTransport implements Transport {
    static final String TITLE = "fuse";

    @Override
    public void check(MountPoint where) {
        Door.check(where);
    }

    @Override
    public TransportSession mount(MountPoint where, FileSystem fs) {
        return Door.open(where, fs, false);
    }
}
