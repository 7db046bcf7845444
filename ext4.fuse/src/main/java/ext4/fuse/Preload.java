// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import java.util.List;

/**
 * Loads every class of this bundle before its services are registered. After an update or uninstall the old revision is
 * closed at once, and a transport that still serves a mount and gives it to the next one must not need a class it never
 * used before.
 */
final class Preload {
    private static final List<String> CLASSES = List.of(
            "ext4.fuse.Attachment",
            "ext4.fuse.Connection",
            "ext4.fuse.DirectMount",
            "ext4.fuse.Door",
            "ext4.fuse.FuseRingTransport",
            "ext4.fuse.FuseSession",
            "ext4.fuse.FuseTransport",
            "ext4.fuse.FusermountMount",
            "ext4.fuse.Mounts",
            "ext4.fuse.NativeUse",
            "ext4.fuse.NativeUse$1",
            "ext4.fuse.RingServer",
            "ext4.fuse.channel.DescriptorSource",
            "ext4.fuse.channel.Descriptors",
            "ext4.fuse.channel.Reader",
            "ext4.fuse.channel.Reader$End",
            "ext4.fuse.channel.Reader$Pool",
            "ext4.fuse.channel.Reader$Waiting",
            "ext4.fuse.channel.ReaderPool",
            "ext4.fuse.channel.ReaderPool$1",
            "ext4.fuse.channel.ReaderPool$Phase",
            "ext4.fuse.channel.RequestHandler",
            "ext4.fuse.channel.RequestHandler$Blocking",
            "ext4.fuse.channel.RequestHandler$Place",
            "ext4.fuse.channel.RequestHandler$Worker",
            "ext4.fuse.channel.RequestSource",
            "ext4.fuse.channel.Server",
            "ext4.fuse.channel.Server$Released",
            "ext4.fuse.channel.Spares",
            "ext4.fuse.ring.RingPlace",
            "ext4.fuse.ring.RingPool",
            "ext4.fuse.ring.RingQueue",
            "ext4.fuse.ring.RingQueue$Left",
            "ext4.fuse.ring.RingState",
            "ext4.fuse.ring.RingSupport",
            "ext4.fuse.ring.RingThread",
            "ext4.fuse.session.AttributeEncoder",
            "ext4.fuse.session.AttributeRequests",
            "ext4.fuse.session.ControlRequests",
            "ext4.fuse.session.Counters",
            "ext4.fuse.session.Counters$Table",
            "ext4.fuse.session.DirectoryRequests",
            "ext4.fuse.session.DirectoryRequests$Page",
            "ext4.fuse.session.DispatchTable",
            "ext4.fuse.session.DispatchTable$Handler",
            "ext4.fuse.session.DispatchTable$Row",
            "ext4.fuse.session.Dispatcher",
            "ext4.fuse.session.Dispatcher$1",
            "ext4.fuse.session.FileRequests",
            "ext4.fuse.session.Interrupts",
            "ext4.fuse.session.NameRequests",
            "ext4.fuse.session.Negotiation",
            "ext4.fuse.session.Reply",
            "ext4.fuse.session.Request",
            "ext4.fuse.session.XattrRequests",
            "ext4.fuse.wire.InitFlag",
            "ext4.fuse.wire.Notification",
            "ext4.fuse.wire.Opcode",
            "ext4.fuse.wire.Replies",
            "ext4.fuse.wire.Replies$Attr",
            "ext4.fuse.wire.Replies$AttrOut",
            "ext4.fuse.wire.Replies$Dirent",
            "ext4.fuse.wire.Replies$EntryOut",
            "ext4.fuse.wire.Replies$GetXattrOut",
            "ext4.fuse.wire.Replies$Header",
            "ext4.fuse.wire.Replies$Init",
            "ext4.fuse.wire.Replies$IoctlOut",
            "ext4.fuse.wire.Replies$LseekOut",
            "ext4.fuse.wire.Replies$OpenOut",
            "ext4.fuse.wire.Replies$StatfsOut",
            "ext4.fuse.wire.Replies$StatxOut",
            "ext4.fuse.wire.Replies$WriteOut",
            "ext4.fuse.wire.Requests",
            "ext4.fuse.wire.Requests$BatchForget",
            "ext4.fuse.wire.Requests$Create",
            "ext4.fuse.wire.Requests$Fallocate",
            "ext4.fuse.wire.Requests$Forget",
            "ext4.fuse.wire.Requests$Fsync",
            "ext4.fuse.wire.Requests$GetXattr",
            "ext4.fuse.wire.Requests$Header",
            "ext4.fuse.wire.Requests$Init",
            "ext4.fuse.wire.Requests$Interrupt",
            "ext4.fuse.wire.Requests$Ioctl",
            "ext4.fuse.wire.Requests$Link",
            "ext4.fuse.wire.Requests$Lseek",
            "ext4.fuse.wire.Requests$Mkdir",
            "ext4.fuse.wire.Requests$Mknod",
            "ext4.fuse.wire.Requests$Read",
            "ext4.fuse.wire.Requests$Rename",
            "ext4.fuse.wire.Requests$Rename2",
            "ext4.fuse.wire.Requests$SetAttr",
            "ext4.fuse.wire.Requests$SetXattr",
            "ext4.fuse.wire.Requests$Statx",
            "ext4.fuse.wire.Requests$Write",
            "ext4.fuse.wire.RingCommand",
            "ext4.fuse.wire.RingCommand$Headers",
            "ext4.fuse.wire.RingCommand$Iovec");

    private Preload() {}

    /** The names, for the test that compares them with what there is. */
    static List<String> classes() {
        return CLASSES;
    }

    /** Loads all of them; again costs little. None is initialised, so that no system call is looked up before it may be. */
    static void all() {
        ClassLoader loader = Preload.class.getClassLoader();
        for (String name : CLASSES) {
            try {
                Class.forName(name, false, loader);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException("the bundle is incomplete: " + name, e);
            }
        }
    }
}
