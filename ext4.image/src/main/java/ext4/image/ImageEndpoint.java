// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;

/** A path in an image. */
final class ImageEndpoint extends Endpoint {
    private final Ext4Image image;

    ImageEndpoint(Ext4Image image, byte[] path) {
        super(path);
        this.image = image;
    }

    @Override
    public FileType type(LinkOption... options) throws IOException {
        boolean follow = !List.of(options).contains(LinkOption.NOFOLLOW_LINKS);
        Session session = image.session();
        return session.call(this::toString, () -> {
            try (Place place = Place.find(session.fs, path, follow)) {
                return place.exists() ? FileType.of(place.attributes.mode) : null;
            } catch (ErrnoException e) {
                if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                    return null;
                }
                throw e;
            }
        });
    }

    @Override
    public Endpoint child(String name) {
        byte[] directory = path.length == 0 ? new byte[] {'/'} : path;
        return new ImageEndpoint(image, PathBytes.join(directory, ByteNames.encode(name)));
    }

    @Override
    public String toString() {
        return image.name() + ":" + ByteNames.decode(path);
    }

    @Override
    Opened open(Host host, boolean follow) throws IOException {
        Session session = image.session();
        return session.call(this::toString, () -> {
            try (Place place = Place.find(session.fs, path, follow)) {
                return opened(session, place);
            }
        });
    }

    private Opened opened(Session session, Place place) throws ErrnoException {
        byte[] shown = PathBytes.parent(place.name == null ? PathBytes.join(path, new byte[] {'.'}) : path);
        byte[] label = ByteNames.encode(image.name() + ":" + ByteNames.decode(shown));
        int folder = place.directory();
        if (folder != Session.ROOT) {
            session.fs.pin(folder);
        }
        List<Node> way = new ArrayList<>();
        for (int ino : place.way()) {
            way.add(Node.of(session, session.attributes(ino)));
        }
        return new Opened(new ImageFolder(session, folder, null, label), place.name, way);
    }
}
