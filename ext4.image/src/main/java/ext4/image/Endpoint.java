// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Where a copy comes from or goes to: a path of the host, or one in an open image. */
public abstract sealed class Endpoint permits HostEndpoint, ImageEndpoint {
    /** The path, with slashes. */
    final byte[] path;

    Endpoint(byte[] path) {
        this.path = path;
    }

    /** A path of the host. */
    public static Endpoint host(Path path) {
        return host(path.toString());
    }

    /** A path of the host by its bytes as {@link ByteNames} writes them: also for names that {@link Path} can't say. */
    public static Endpoint host(String path) {
        return new HostEndpoint(ByteNames.encode(path));
    }

    /** A path in an image. */
    public static Endpoint image(Ext4Image image, String path) {
        return new ImageEndpoint(image, ByteNames.encode(path));
    }

    /** What is there, links followed unless {@link LinkOption#NOFOLLOW_LINKS}; null if nothing is. */
    public abstract FileType type(LinkOption... options) throws IOException;

    /** A place of that name in the directory that this is. */
    public abstract Endpoint child(String name);

    /** The last name of the path; empty if it ends at a directory by other means, such as {@code /} or {@code ..}. */
    public String name() {
        byte[] last = PathBytes.lastName(path);
        return last == null ? "" : ByteNames.decode(last);
    }

    /** For messages. */
    @Override
    public abstract String toString();

    /** The folder that holds it and its name there. */
    abstract Opened open(Host host, boolean follow) throws IOException;

    /**
     * An opened end.
     *
     * @param folder to be closed
     * @param name null if it is the folder itself
     * @param way what the folder lies in, itself included, where that matters
     */
    record Opened(Folder folder, byte[] name, List<Node> way) {}
}
