// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** A file of the root directory, pinned once, whose content was fsynced. */
final class SyncedFile {
    private static final int ROOT = 2;
    private static final int FILE_MODE = 0x81A4; // -rw-r--r--
    private static final int LENGTH = 100_000;

    private final FileSystem fs;
    private final byte[] content;
    private final int ino;

    /** Makes it. */
    SyncedFile(FileSystem fs, String name) {
        this.fs = fs;
        content = new byte[LENGTH];
        new Random(name.hashCode()).nextBytes(content);
        ino = make(fs, name);
        ByteBuffer source = ByteBuffer.wrap(content);
        while (source.hasRemaining()) {
            fs.write(Credentials.ROOT, ino, source.position(), source, 0);
        }
        fs.fsync(ino, false);
    }

    /** The same file after it was mounted anew, unless it is lost. */
    SyncedFile(FileSystem now, SyncedFile before, String name) {
        fs = now;
        content = before.content;
        Attributes found = new Attributes();
        fs.lookup(ROOT, name.getBytes(StandardCharsets.US_ASCII), found);
        ino = found.ino;
    }

    /** A new file, pinned once; nothing is written into it. */
    static int make(FileSystem fs, String name) {
        Attributes made = new Attributes();
        fs.create(Credentials.ROOT, ROOT, name.getBytes(StandardCharsets.US_ASCII), FILE_MODE, made);
        return made.ino;
    }

    /** It reads as it was written. */
    void check() {
        ByteBuffer read = ByteBuffer.allocate(LENGTH + 1);
        while (read.hasRemaining() && fs.read(ino, read.position(), read) > 0) {
            // until the end
        }
        assertThat(Arrays.copyOf(read.array(), read.position())).isEqualTo(content);
    }

    void forget() {
        fs.forget(ino, 1);
    }

    /** What cksum(1) says of it on its standard input. */
    String cksum() {
        int crc = 0;
        for (byte each : content) {
            crc = step(crc, each & 0xFF);
        }
        for (int length = content.length; length != 0; length >>>= 8) {
            crc = step(crc, length & 0xFF);
        }
        return Integer.toUnsignedString(~crc) + " " + content.length;
    }

    private static int step(int crc, int octet) {
        int next = crc ^ octet << 24;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            next = next < 0 ? next << 1 ^ 0x04C11DB7 : next << 1;
        }
        return next;
    }
}
