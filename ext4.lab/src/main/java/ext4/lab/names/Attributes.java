// SPDX-License-Identifier: Apache-2.0
package ext4.lab.names;

import ext4.lab.load.Description;
import ext4.lab.load.Hands;
import java.util.Arrays;
import java.util.Random;

/** chmod, chown, utimens, extended attributes, and looking at a name. */
final class Attributes {
    private static final int IDS = 1 << 20;
    private static final int LONGEST_VALUE = 250;
    private static final String[] XATTRS = {"user.a", "user.b", "user.somewhat-longer-name", "trusted.t"};

    private final Hands hands;
    private final Random random;
    private final Names names;

    Attributes(Hands hands, Random random, Names names) {
        this.hands = hands;
        this.random = random;
        this.names = names;
    }

    void change() {
        Place at = names.likely();
        switch (random.nextInt(3)) {
            case 0 -> chmod(at);
            case 1 -> chown(at);
            default -> times(at);
        }
    }

    private void chmod(Place at) {
        Node node = at.node();
        if (node != null && node.type == Node.LINK) {
            return; // chmod(2) follows it
        }
        // a directory that is sticky or sets group ids would change the rules for what is below it
        int permissions = node != null && node.isDirectory() ? 0700 | random.nextInt(0100) : random.nextInt(010000);
        int result =
                hands.expect("chmod", at.path(), hands.calls.chmod(Hands.bytes(at.path()), permissions), at.oldError());
        if (result == 0) {
            node.permissions = permissions;
        }
    }

    private void chown(Place at) {
        int uid = random.nextInt(IDS);
        int gid = random.nextInt(IDS);
        int result = hands.expect(
                "lchown", at.path(), hands.calls.chown(Hands.HERE, Hands.bytes(at.path()), uid, gid), at.oldError());
        if (result == 0) {
            Node node = at.node();
            node.uid = uid;
            node.gid = gid;
            node.dropSetId();
        }
    }

    private void times(Place at) {
        long seconds = random.nextLong(-(1L << 31), 1L << 33);
        int nanos = random.nextInt(1_000_000_000);
        int result = hands.expect(
                "utimensat",
                at.path(),
                hands.calls.setTimes(Hands.HERE, Hands.bytes(at.path()), seconds, nanos, seconds, nanos),
                at.oldError());
        if (result == 0) {
            Node node = at.node();
            node.timeKnown = true;
            node.seconds = seconds;
            node.nanos = nanos;
        }
    }

    void xattr() {
        Place at = names.likely();
        String name = XATTRS[random.nextInt(XATTRS.length)];
        switch (random.nextInt(4)) {
            case 0, 1 -> set(at, name, random.nextInt(3));
            case 2 -> get(at, name);
            default -> remove(at, name);
        }
    }

    private int expected(Place at, String name, boolean write, boolean mustExist, boolean mustNot) {
        return at.oldError() != 0 ? at.oldError() : Predictions.xattr(at.node(), name, write, mustExist, mustNot);
    }

    /** @param flags 1 XATTR_CREATE, 2 XATTR_REPLACE */
    private void set(Place at, String name, int flags) {
        byte[] value = new byte[random.nextInt(LONGEST_VALUE)];
        random.nextBytes(value);
        int result = hands.expect(
                "lsetxattr " + name + " flags " + flags,
                at.path(),
                hands.xattrs.set(Hands.bytes(at.path()), Hands.bytes(name), value, flags),
                expected(at, name, true, flags == 2, flags == 1));
        if (result == 0) {
            at.node().xattrs.put(name, value);
        }
    }

    private void get(Place at, String name) {
        byte[] value = hands.xattrs.get(Hands.bytes(at.path()), Hands.bytes(name));
        int result = hands.expect(
                "lgetxattr " + name,
                at.path(),
                value == null ? -hands.calls.errno() : 0,
                expected(at, name, false, true, false));
        if (result == 0 && !Arrays.equals(value, at.node().xattrs.get(name))) {
            hands.outcome().differs(at.path(), name + " as it was set", "another value");
        }
    }

    private void remove(Place at, String name) {
        int result = hands.expect(
                "lremovexattr " + name,
                at.path(),
                hands.xattrs.remove(Hands.bytes(at.path()), Hands.bytes(name)),
                expected(at, name, true, true, false));
        if (result == 0) {
            at.node().xattrs.remove(name);
        }
    }

    /** Looks at a name; what is there is compared. */
    void look() {
        Place at = names.likely();
        int error = at.oldError();
        boolean there = hands.calls.stat(Hands.HERE, Hands.bytes(at.path())) != null;
        hands.expect("lstat", at.path(), there ? 0 : -hands.calls.errno(), error);
        if (error == 0) {
            String expected = at.node().description();
            String actual = Description.actual(hands, at.path(), expected);
            if (!actual.equals(expected)) {
                hands.outcome().differs(at.path(), expected, actual);
            }
        }
    }
}
