// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file, directory or symbolic link as the workload knows it. Its versions are what it may look like after a crash: what was
 * last made durable, and what was asked for since, done or not.
 */
final class FileNode {
    /** What it is. */
    enum Type {
        FILE,
        DIRECTORY,
        LINK
    }

    /**
     * One state.
     *
     * @param content of a file, target of a symbolic link, nothing for a directory
     * @param attribute value of the extended attribute, or null
     */
    record Version(byte[] content, byte[] attribute) {}

    private static final int ANY = -1;

    final Type type;
    final int ino;
    private final List<Version> versions = new ArrayList<>();
    /** A call failed that may have been done in part: it stays any of its versions, whatever is made durable. */
    boolean unsure;
    /** It was made durable under some name. */
    boolean bound;
    /** Its last name was taken away since, or may have been. */
    boolean mayVanish;

    FileNode(Type type, int ino, Version first) {
        this.type = type;
        this.ino = ino;
        versions.add(first);
    }

    /** One that a call which failed may have made: its number is not known. */
    static FileNode unknown(Type type, Version first) {
        FileNode node = new FileNode(type, ANY, first);
        node.unsure = true;
        node.mayVanish = true;
        return node;
    }

    /** Whether what is found may be this. */
    boolean is(Type foundType, int foundIno) {
        return type == foundType && (ino == ANY || ino == foundIno);
    }

    /** The same, to be changed apart. */
    FileNode copy() {
        FileNode copy = new FileNode(type, ino, versions.getFirst());
        copy.versions.addAll(versions.subList(1, versions.size()));
        copy.unsure = unsure;
        copy.bound = bound;
        copy.mayVanish = mayVanish;
        return copy;
    }

    /** What it is if nothing fails. */
    Version now() {
        return versions.getLast();
    }

    /** What it may be besides, from now on. */
    void may(Version version) {
        versions.add(versions.size() - 1, version);
    }

    /** What it is from now on. */
    void becomes(Version version) {
        versions.add(version);
    }

    /** What it is now is durable. */
    void durable() {
        if (!unsure) {
            Version now = now();
            versions.clear();
            versions.add(now);
        }
    }

    /** Whether it can only be what was made durable. */
    boolean isSettled() {
        return !unsure && versions.size() == 1;
    }

    /** Whether this is what may be found: each byte that of some version, and a size that lies between theirs. */
    boolean allows(byte[] content, byte[] attribute) {
        int least = Integer.MAX_VALUE;
        int most = 0;
        boolean known = false;
        for (Version each : versions) {
            least = Math.min(least, each.content.length);
            most = Math.max(most, each.content.length);
            known |= Arrays.equals(each.attribute, attribute);
        }
        if (!known || content.length < least || content.length > most) {
            return false;
        }
        for (int i = 0; i < content.length; i++) {
            if (!allows(i, content[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean allows(int at, byte found) {
        for (int v = versions.size() - 1; v >= 0; v--) {
            byte[] content = versions.get(v).content;
            if (found == (at < content.length ? content[at] : 0)) {
                return true;
            }
        }
        return false;
    }

    /** What it may be, for people. */
    String describe() {
        StringBuilder text = new StringBuilder(type + " " + ino);
        for (Version each : versions) {
            text.append(" [").append(each.content.length).append(" bytes");
            text.append(each.attribute == null ? "]" : ", attribute of " + each.attribute.length + "]");
        }
        return text.toString();
    }
}
