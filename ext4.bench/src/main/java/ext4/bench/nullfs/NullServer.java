// SPDX-License-Identifier: Apache-2.0
package ext4.bench.nullfs;

import ext4.api.fs.Ext4Exception;
import ext4.api.fs.MountPoint;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.bench.Transports;

/** A process that serves the null filesystem: {@code NullServer MOUNTPOINT TRANSPORT}, until it is unmounted. */
public final class NullServer {
    private NullServer() {}

    /** Says {@code mounted} on a line when the mount point works; ends when it is unmounted. */
    public static void main(String[] args) {
        MountPoint where = new MountPoint("null", args[0], false, false);
        Transport transport = Transports.named(args[1]);
        TransportSession session;
        try {
            transport.check(where);
            session = transport.mount(where, new NullFileSystem());
        } catch (Ext4Exception e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(session::detach, "unmount"));
        System.out.println("mounted");
        session.ended().join();
    }
}
