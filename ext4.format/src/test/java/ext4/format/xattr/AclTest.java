// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.FormatException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AclTest {
    /** u::rw-, u:1000:rwx, g::r--, m::rwx, o::--- */
    private static final String WIRE = "02000000" + "01000600ffffffff" + "02000700e8030000" + "04000400ffffffff"
            + "10000700ffffffff" + "20000000ffffffff";

    private static final String DISK =
            "01000000" + "01000600" + "02000700e8030000" + "04000400" + "10000700" + "20000000";

    private static byte[] hex(String s) {
        return HexFormat.of().parseHex(s);
    }

    @Test
    void convertsBothWays() throws FormatException {
        assertThat(AclCodec.toDisk(hex(WIRE))).isEqualTo(hex(DISK));
        assertThat(AclCodec.toWire(hex(DISK))).isEqualTo(hex(WIRE));
        assertThat(AclCodec.count(hex(DISK))).isEqualTo(5);
        assertThat(AclCodec.toWire(hex("01000000"))).isEqualTo(hex("02000000"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "02000000",
                "0100000001",
                "010000000100",
                "0100000001000600",
                "0100000001000600040004002000",
                "0100000001000600020007000100",
                "01000000" + "01000600" + "0200070001000000" + "04000400" + "20000000",
                "01000000" + "01000600" + "04000400" + "01000600" + "20000000",
                "01000000" + "01000600" + "01000600" + "04000400" + "20000000",
                "01000000" + "01000800" + "04000400" + "20000000",
                "01000000" + "01000600" + "04000400" + "40000000",
                "01000000" + "01000600" + "04000400" + "00000000",
                "01000000" + "01000600" + "02000700ffffffff" + "04000400" + "10000700" + "20000000",
            })
    void refusesWhatIsNoAcl(String disk) {
        assertThatThrownBy(() -> AclCodec.toWire(hex(disk))).isInstanceOf(FormatException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01000000", "0200000001000600", "0200000001000600ffffffff"})
    void refusesWhatIsNoWireAcl(String wire) {
        assertThatThrownBy(() -> AclCodec.toDisk(hex(wire))).isInstanceOf(FormatException.class);
    }

    @Test
    void modeFollowsMask() {
        byte[] acl = hex(DISK);
        assertThat(AclMode.mode(acl)).isEqualTo(0670);
        assertThat(AclMode.isMinimal(acl)).isFalse();
        AclMode.setMode(acl, 0754);
        assertThat(acl)
                .isEqualTo(hex("01000000" + "01000700" + "02000700e8030000" + "04000400" + "10000500" + "20000400"));
    }

    @Test
    void minimalAclIsItsMode() {
        byte[] acl = hex("01000000" + "01000600" + "04000400" + "20000400");
        assertThat(AclMode.isMinimal(acl)).isTrue();
        assertThat(AclMode.mode(acl)).isEqualTo(0644);
        AclMode.setMode(acl, 0711);
        assertThat(AclMode.mode(acl)).isEqualTo(0711);
    }

    @Test
    void inheritanceTakesWhatBothAllow() {
        byte[] acl = hex(DISK);
        assertThat(AclMode.inherit(acl, 0100666)).isEqualTo(0100660);
        assertThat(acl)
                .isEqualTo(hex("01000000" + "01000600" + "02000700e8030000" + "04000400" + "10000600" + "20000000"));
    }
}
