// SPDX-License-Identifier: Apache-2.0
package ext4.lab.names;

import ext4.api.fs.Errno;

/**
 * A name in a directory, there or not.
 *
 * @param directory null if the way there leads nowhere
 * @param name in it
 * @param path absolute
 * @param wayError why the way leads nowhere, 0 if it does not
 */
record Place(Node directory, String name, String path, int wayError) {
    private static final int LONGEST = 255;

    /** What stands there, or null. */
    Node node() {
        return directory == null ? null : directory.children.get(name);
    }

    /** The error of looking the name up once its directory is found: 0 also if nothing is there. */
    int nameError() {
        return name.length() > LONGEST ? Errno.ENAMETOOLONG.number() : 0;
    }

    /** The error of a call that needs nothing there, as mkdir(2). */
    int newError() {
        if (wayError != 0) {
            return wayError;
        }
        if (nameError() != 0) {
            return nameError();
        }
        return node() == null ? 0 : Errno.EEXIST.number();
    }

    /** The error of a call that needs something there, as lstat(2). */
    int oldError() {
        if (wayError != 0) {
            return wayError;
        }
        if (nameError() != 0) {
            return nameError();
        }
        return node() == null ? Errno.ENOENT.number() : 0;
    }
}
