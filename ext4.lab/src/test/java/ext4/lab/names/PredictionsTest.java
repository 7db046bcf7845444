// SPDX-License-Identifier: Apache-2.0
package ext4.lab.names;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Errno;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The errors of rename(2) and link(2), by example. The soak on the kernel's ext4 tries them by the thousand. */
class PredictionsTest {
    private final Names names = new Names("/t", new Random(1));
    private final Node folder = made("d", Node.DIRECTORY);
    private final Node file = made("f", Node.REGULAR);

    private Node made(String name, int type) {
        Node node = new Node(type, 0700);
        names.add(at(names.root, name), node);
        return node;
    }

    private static Place at(Node directory, String name) {
        return new Place(directory, name, "/t/" + name, 0);
    }

    private static int of(Errno errno) {
        return errno.number();
    }

    @Test
    void rename() {
        Place d = at(names.root, "d");
        Place f = at(names.root, "f");
        assertThat(Predictions.rename(f, at(names.root, "new"), 0)).isZero();
        assertThat(Predictions.rename(at(names.root, "new"), f, 0)).isEqualTo(of(Errno.ENOENT));
        assertThat(Predictions.rename(f, d, 0)).isEqualTo(of(Errno.EISDIR));
        assertThat(Predictions.rename(d, f, 0)).isEqualTo(of(Errno.ENOTDIR));
        assertThat(Predictions.rename(d, at(folder, "x"), 0)).isEqualTo(of(Errno.EINVAL));
        assertThat(Predictions.rename(f, d, Predictions.NOREPLACE)).isEqualTo(of(Errno.EEXIST));
        assertThat(Predictions.rename(f, d, Predictions.EXCHANGE)).isZero();
        assertThat(Predictions.rename(f, at(names.root, "new"), Predictions.EXCHANGE))
                .isEqualTo(of(Errno.ENOENT));
        names.add(at(folder, "in"), new Node(Node.REGULAR, 0600));
        assertThat(Predictions.rename(at(folder, "in"), d, 0)).isEqualTo(of(Errno.ENOTEMPTY));
        assertThat(Predictions.rename(at(folder, "in"), d, Predictions.EXCHANGE))
                .isEqualTo(of(Errno.EINVAL));
    }

    @Test
    void twoNamesOfOneInodeStayBoth() {
        Place f = at(names.root, "f");
        Place other = at(folder, "g");
        assertThat(Predictions.link(f, other)).isZero();
        names.add(other, file);
        assertThat(Predictions.rename(f, other, 0)).isZero();
        names.rename(f, other);
        assertThat(f.node()).isSameAs(other.node()).isSameAs(file);
        assertThat(file.links).isEqualTo(2);
    }

    @Test
    void link() {
        assertThat(Predictions.link(at(names.root, "d"), at(names.root, "new"))).isEqualTo(of(Errno.EPERM));
        assertThat(Predictions.link(at(names.root, "d"), at(names.root, "f"))).isEqualTo(of(Errno.EEXIST));
    }
}
