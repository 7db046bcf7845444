// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

/** What a step does. The letters are its arguments: P a path, N a number, S a slot of an open file, T any text. */
enum Verb {
    MKDIR("PN"),
    MKNOD("PNNN"),
    SYMLINK("PT"),
    LINK("PP"),
    RENAME("PPN"),
    UNLINK("P"),
    RMDIR("P"),
    CREATE("SPN"),
    OPEN("SPN"),
    TMPFILE("SPN"),
    LINKOPEN("SP"),
    CLOSE("S"),
    WRITE("SNNN"),
    READ("SNN"),
    TRUNCATE("PN"),
    SETSIZE("SN"),
    FALLOCATE("SNNN"),
    DATA("SN"),
    HOLE("SN"),
    CHMOD("PN"),
    CHOWN("PNN"),
    UTIMENS("PNNNN"),
    SETXATTR("PTNNN"),
    GETXATTR("PT"),
    LISTXATTR("P"),
    REMOVEXATTR("PT"),
    READLINK("P"),
    LIST("P"),
    STATFS(""),
    FSYNC("S"),
    SYNC(""),
    COPY("SNSNN"),
    SHARE("SS"),
    /** Makes N files of names that begin with T and are N long, until one is refused. */
    MANY("PTNN"),
    /** Removes each Nth of them. */
    FEWER("PTNNN"),
    /** Gives an existing file N more names in a directory, until one is refused. */
    LINKS("PPN"),
    /** Closes all, compares everything, swaps the images. */
    CHECK("");

    private final String arguments;

    Verb(String arguments) {
        this.arguments = arguments;
    }

    /** The kinds of its arguments, a letter each. */
    String arguments() {
        return arguments;
    }
}
