// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.sys.VolumeStatus;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/** Does a step on one side; its answer is text, the same on both sides if they agree. */
final class Performer {
    private static final String DONE = "0";
    private static final long FAR = 0x9E3779B97F4A7C15L;

    private Performer() {}

    /** What the call returned, or the name of its error. */
    static String run(Step step, Calls calls) {
        try {
            return perform(step, calls);
        } catch (Refused e) {
            return e.getMessage();
        } catch (ErrnoException e) {
            return e.errno().name();
        } catch (Ext4Exception e) {
            return e.errno().name() + " (" + e.getMessage() + ")";
        }
    }

    /** What stat(2) told: the text is the same on both sides if they agree; no status if it failed. */
    record Look(String text, Status status) {}

    static Look look(Calls calls, String path) {
        return look(() -> calls.stat(path));
    }

    static Look look(Calls calls, int slot) {
        return look(() -> calls.stat(slot));
    }

    private static Look look(Supplier<Status> call) {
        try {
            Status status = call.get();
            return new Look(status.plain(), status);
        } catch (Refused e) {
            return new Look(e.getMessage(), null);
        } catch (ErrnoException e) {
            return new Look(e.errno().name(), null);
        } catch (Ext4Exception e) {
            return new Look(e.errno().name() + " (" + e.getMessage() + ")", null);
        }
    }

    private static String perform(Step s, Calls calls) {
        return switch (s.verb()) {
            case MKDIR, MKNOD, SYMLINK, LINK, RENAME, UNLINK, RMDIR, MANY, FEWER, LINKS -> names(s, calls);
            case CREATE,
                    OPEN,
                    TMPFILE,
                    LINKOPEN,
                    CLOSE,
                    FSYNC,
                    SHARE,
                    WRITE,
                    READ,
                    SETSIZE,
                    FALLOCATE,
                    DATA,
                    HOLE,
                    COPY -> slots(s, calls);
            default -> attributes(s, calls);
        };
    }

    private static String names(Step s, Calls calls) {
        switch (s.verb()) {
            case MKDIR -> calls.mkdir(s.text(0), s.small(1));
            case MKNOD -> calls.mknod(s.text(0), s.small(1), s.small(2), s.small(3));
            case SYMLINK -> calls.symlink(s.text(0), s.text(1));
            case LINK -> calls.link(s.text(0), s.text(1));
            case RENAME -> calls.rename(s.text(0), s.text(1), s.small(2));
            case UNLINK -> calls.unlink(s.text(0));
            case RMDIR -> calls.rmdir(s.text(0));
            case MANY -> {
                return count(s.small(2), 1, i -> calls.mknod(manyName(s, i), 0100644, 0, 0));
            }
            case FEWER -> {
                return count(s.small(2), s.small(4), i -> calls.unlink(manyName(s, i)));
            }
            case LINKS -> {
                return count(s.small(2), 1, i -> calls.link(s.text(0), s.text(1) + "/l" + i));
            }
            default -> throw new IllegalStateException(s.toString());
        }
        return DONE;
    }

    /** The name of the {@code i}th of many files. */
    static String manyName(Step s, int i) {
        StringBuilder name = new StringBuilder(s.text(1)).append(i).append('-');
        while (name.length() < s.small(3)) {
            name.append((char) ('a' + (i + name.length()) % 26));
        }
        return s.text(0).isEmpty() ? name.toString() : s.text(0) + "/" + name;
    }

    private static String count(int most, int stride, IntConsumer call) {
        int done = 0;
        String end = "";
        for (int i = 0; i < most; i += Math.max(1, stride)) {
            try {
                call.accept(i);
                done++;
            } catch (Refused e) {
                end = " " + e.getMessage();
            } catch (ErrnoException e) {
                end = " " + e.errno().name();
            }
            if (stride == 1 && !end.isEmpty() && !end.endsWith(Errno.ENOENT.name())) {
                break;
            }
        }
        return done + end;
    }

    private static String slots(Step s, Calls calls) {
        switch (s.verb()) {
            case CREATE -> calls.create(s.small(0), s.text(1), s.small(2));
            case OPEN -> calls.open(s.small(0), s.text(1), s.small(2));
            case TMPFILE -> calls.tmpfile(s.small(0), s.text(1), s.small(2));
            case LINKOPEN -> calls.linkOpen(s.small(0), s.text(1));
            case CLOSE -> calls.close(s.small(0));
            case FSYNC -> calls.fsync(s.small(0));
            case SHARE -> calls.share(s.small(0), s.small(1));
            case SETSIZE -> calls.setSize(s.small(0), s.number(1));
            case FALLOCATE -> calls.fallocate(s.small(0), s.small(1), s.number(2), s.number(3));
            case WRITE -> {
                return "" + calls.write(s.small(0), s.number(1), pattern(s.number(3), s.small(2)));
            }
            case READ -> {
                return digest(calls.read(s.small(0), s.number(1), s.small(2)));
            }
            case DATA, HOLE -> {
                calls.settle(s.small(0));
                return "" + calls.seek(s.small(0), s.number(1), s.verb() == Verb.HOLE);
            }
            case COPY -> {
                return "" + calls.copy(s.small(0), s.number(1), s.small(2), s.number(3), s.number(4));
            }
            default -> throw new IllegalStateException(s.toString());
        }
        return DONE;
    }

    private static String attributes(Step s, Calls calls) {
        switch (s.verb()) {
            case TRUNCATE -> calls.truncate(s.text(0), s.number(1));
            case CHMOD -> calls.chmod(s.text(0), s.small(1));
            case CHOWN -> calls.chown(s.text(0), s.small(1), s.small(2));
            case UTIMENS -> calls.utimens(s.text(0), s.number(1), s.small(2), s.number(3), s.small(4));
            case SETXATTR -> calls.setxattr(s.text(0), s.text(1), value(s), s.small(4));
            case REMOVEXATTR -> calls.removexattr(s.text(0), s.text(1));
            case SYNC -> calls.sync();
            case GETXATTR -> {
                return digest(calls.getxattr(s.text(0), s.text(1)));
            }
            case LISTXATTR -> {
                return sorted(calls.listxattr(s.text(0)));
            }
            case READLINK -> {
                return calls.readlink(s.text(0));
            }
            case LIST -> {
                List<String> names = calls.list(s.text(0));
                return names.size() + " names " + digest(Step.bytes(sorted(names)));
            }
            case STATFS -> {
                VolumeStatus v = calls.statfs();
                return "block size " + v.blockSize() + ", blocks " + v.blocks() + ", files " + v.files();
            }
            default -> throw new IllegalStateException(s.toString());
        }
        return DONE;
    }

    /** The value of a set attribute; security.capability is one that the kernel takes. */
    private static byte[] value(Step s) {
        if (s.text(1).equals("security.capability")) {
            byte[] capability = new byte[20];
            capability[3] = 2;
            capability[4] = (byte) s.number(3);
            return capability;
        }
        return pattern(s.number(3), s.small(2));
    }

    static String sorted(List<String> names) {
        return String.join(" ", names.stream().sorted().toList());
    }

    static byte[] pattern(long seed, int length) {
        byte[] bytes = new byte[length];
        long x = seed * FAR + 1;
        for (int i = 0; i < length; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
            bytes[i] = (byte) x;
        }
        return bytes;
    }

    static String digest(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return bytes.length + " bytes " + Long.toHexString(crc.getValue());
    }
}
