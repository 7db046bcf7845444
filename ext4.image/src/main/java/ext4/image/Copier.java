// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.Map;

/**
 * Copies files and trees between the host and images, or between and within images. Hard links are kept among all that
 * one copier copies to one image or into one directory of the host. Belongs to the thread that made it. What concerns the
 * host needs Linux; there, existing symbolic links are followed only where a path that was given ends at one.
 */
public final class Copier implements AutoCloseable {
    private final Copying how;
    private final TreeCopy trees;
    private final Map<String, Folder> targets = new HashMap<>();
    private Host host;

    /** Copies this way, telling {@code listener}. */
    public Copier(Copying how, CopyListener listener) {
        this.how = how;
        this.trees = new TreeCopy(how, listener);
    }

    /**
     * Copies {@code from}, a file or tree, to where it is {@code to}: an existing file is replaced, an existing directory
     * merged with. A source that ends in {@code .} or {@code ..}, or is a root, means what is in that directory.
     *
     * @throws IOException what the listener threw, or that the target is full or a medium failed
     */
    public void copy(Endpoint from, Endpoint to) throws IOException {
        Endpoint.Opened source = from.open(hostFor(from), how.followTop());
        try {
            Endpoint.Opened target = to.open(hostFor(to), true);
            target.way().forEach(trees::targetIsBelow);
            Folder folder = keep(target.folder());
            if (source.name() == null) {
                contents(source.folder(), folder, target.name());
            } else if (target.name() == null) {
                onto(source, folder, from);
            } else {
                trees.copy(source.folder(), source.name(), folder, target.name());
            }
        } finally {
            trees.close();
            source.folder().close();
        }
    }

    private void contents(Folder from, Folder to, byte[] name) throws IOException {
        if (!how.recursive()) {
            throw new FileSystemException(from.path(null), null, "is a directory, which only a recursive copy takes");
        }
        if (name == null) {
            trees.copyContents(from, to, false);
            return;
        }
        Node old = to.stat(name);
        if (old == null) {
            to.mkdir(name);
        }
        trees.copyContents(from, to.enter(name), old == null);
    }

    /** A tree onto a directory that has no name of its own to be replaced. */
    private void onto(Endpoint.Opened source, Folder to, Endpoint from) throws IOException {
        Node node = source.folder().stat(source.name());
        if (node == null || !node.isDirectory()) {
            throw new FileSystemException(to.path(null), null, "is a directory and is not replaced by " + from);
        }
        try (Folder directory = source.folder().enter(source.name())) {
            contents(directory, to, null);
        }
    }

    /** The folder that this target was opened by first: links are found again from there. */
    private Folder keep(Folder opened) throws IOException {
        Node node = opened.self();
        Folder first = targets.putIfAbsent(node.dev() + "/" + node.ino(), opened);
        if (first == null) {
            return opened;
        }
        opened.close();
        return first;
    }

    private Host hostFor(Endpoint end) {
        if (host == null && end instanceof HostEndpoint) {
            host = new Host();
        }
        return host;
    }

    @Override
    public void close() {
        trees.close();
        targets.values().forEach(Folder::close);
        if (host != null) {
            host.close();
        }
    }
}
