// SPDX-License-Identifier: Apache-2.0
package ext4.bench.nullfs;

import ext4.api.fs.MountPoint;
import ext4.api.fs.TransportSession;
import ext4.bench.Transports;

/** A process that serves the null filesystem: {@code NullServer MOUNTPOINT TRANSPORT}, until it is unmounted. */
public final class NullServer {
    private NullServer() {}

    /** Says {@code mounted} on a line when the mount point works; ends when it is unmounted. */
    public static void main(String[] args) {
        MountPoint where = new MountPoint("null", args[0], false, false);
        TransportSession session = Transports.named(args[1]).mount(where, new NullFileSystem());
        Runtime.getRuntime().addShutdownHook(new Thread(session::detach, "unmount"));
        System.out.println("mounted");
        session.ended().join();
    }
}
