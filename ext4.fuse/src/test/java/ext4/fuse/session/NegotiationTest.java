// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import ext4.fuse.wire.InitFlag;
import ext4.fuse.wire.Opcode;
import ext4.fuse.wire.Replies;
import org.junit.jupiter.api.Test;

class NegotiationTest {
    /** What Linux 6.18 offers. */
    private static final long OFFERED = 0x5fd73fffffbL;

    private final Exchange exchange = new Exchange();
    private final Negotiation negotiation = new Negotiation(false);

    private int answer(int major, int minor, long flags) {
        return answer(negotiation, major, minor, flags);
    }

    private int answer(Negotiation negotiation, int major, int minor, long flags) {
        exchange.begin(Opcode.INIT, 0).int32(major).int32(minor).int32(131072);
        exchange.int32((int) flags).int32((int) (flags >>> 32)).bytes(new byte[44]);
        return negotiation.answer(exchange.request, exchange.length(), exchange.reply);
    }

    @Test
    void agreesOnWhatIsDecided() {
        assertThat(answer(7, 45, OFFERED)).isEqualTo(Replies.Header.SIZE + Replies.Init.SIZE);
        assertThat(negotiation.done()).isTrue();
        long flags = Integer.toUnsignedLong(exchange.reply32(Replies.Init.FLAGS));
        assertThat(flags).isEqualTo(negotiation.agreed() & 0xFFFFFFFFL);
        assertThat(flags & InitFlag.ATOMIC_O_TRUNC).as("ATOMIC_O_TRUNC").isZero();
        assertThat(flags & InitFlag.HANDLE_KILLPRIV_V2).as("HANDLE_KILLPRIV_V2").isNotZero();
        assertThat(flags & InitFlag.INIT_EXT).as("INIT_EXT").isNotZero();
        assertThat(negotiation.needsOpen()).isFalse();
        assertThat(negotiation.needsOpendir()).isFalse();
        assertThat(exchange.reply32(Replies.Init.MAX_WRITE)).isEqualTo(1 << 20);
        assertThat(exchange.reply32(Replies.Init.MAX_PAGES) & 0xFFFF).isEqualTo(256);
        assertThat(exchange.reply32(Replies.Init.MAX_READAHEAD)).isEqualTo(131072);
    }

    @Test
    void takesNothingThatIsNotOffered() {
        answer(7, 45, OFFERED & ~InitFlag.NO_OPENDIR_SUPPORT & ~InitFlag.CACHE_SYMLINKS);
        assertThat(negotiation.needsOpendir()).isTrue();
        assertThat(negotiation.agreed() & InitFlag.CACHE_SYMLINKS).isZero();
    }

    @Test
    void takesIoUringWhereItIsWantedAndOffered() {
        answer(7, 45, OFFERED | InitFlag.OVER_IO_URING);
        assertThat(negotiation.overRing()).isFalse();
        Negotiation wanting = new Negotiation(true);
        answer(wanting, 7, 45, OFFERED);
        assertThat(wanting.overRing()).isFalse();
        answer(wanting, 7, 45, OFFERED | InitFlag.OVER_IO_URING);
        assertThat(wanting.overRing()).isTrue();
        assertThat((long) exchange.reply32(Replies.Init.FLAGS2) << 32 & InitFlag.OVER_IO_URING)
                .isNotZero();
    }

    @Test
    void tellsANewerKernelItsVersionAndWaitsForTheNextInit() {
        answer(8, 0, 0);
        assertThat(negotiation.done()).isFalse();
        assertThat(exchange.reply32(Replies.Init.MAJOR)).isEqualTo(7);
        answer(7, 45, OFFERED);
        assertThat(negotiation.done()).isTrue();
    }

    @Test
    void refusesAnOldKernelByItsVersion() {
        assertThatThrownBy(() -> answer(7, 31, OFFERED))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("FUSE 7.31");
        assertThatThrownBy(() -> answer(7, 45, OFFERED & ~InitFlag.HANDLE_KILLPRIV_V2))
                .isInstanceOf(DeviceException.class);
    }
}
