// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.api.journal.Journal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A journal that aborted writes nothing more, says why, and leaves the log for recovery. */
class AbortTest extends JournalBench {
    @Test
    void anAbortStopsWritingAndIsToldOnce() {
        Journal journal = open("jbd2");
        FakeBlock block = host.block(700);
        journal.commit(change(journal, block, 1));
        Handle waiting = start(journal, 1);
        waiting.write(block)[100] = 1;
        IllegalStateException cause = new IllegalStateException("on purpose");
        journal.abort(cause);
        journal.abort(new IllegalStateException("again"));
        assertThat(waiting.extend(1)).isFalse();
        assertThatThrownBy(() -> waiting.restart(1, 0)).isEqualTo(ErrnoException.of(Errno.EROFS));
        waiting.close();
        assertThatThrownBy(() -> start(journal, 1)).isEqualTo(ErrnoException.of(Errno.EROFS));
        assertThatThrownBy(journal::commitRunning)
                .isInstanceOf(DeviceException.class)
                .hasCause(cause);
        assertThatThrownBy(journal::checkpoint).isInstanceOf(DeviceException.class);
        assertThat(journal.abortCause()).isSameAs(cause);
        assertThat(host.aborted).isSameAs(cause);
        assertThat(host.abortCalls).isEqualTo(1);
        int before = device.position();
        journal.close();
        assertThat(device.position()).isEqualTo(before);
        assertThat(block.pins.get()).isZero();
        assertThatThrownBy(() -> open("jbd2")).isInstanceOf(CorruptException.class);
        var recovery = new Jbd2Provider().recover(host);
        assertThat(recovery.transactions()).isEqualTo(1);
        assertThat(recovery.recordedError()).isEqualTo(-Errno.EIO.number());
        assertThat(onDisk(block)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void aThrowInClosingAborts(String name) {
        Journal journal = open(name);
        FakeBlock block = host.block(700);
        IllegalStateException cause = new IllegalStateException("closing");
        host.closing = handle -> {
            throw cause;
        };
        long tid = change(journal, block, 1);
        assertThatThrownBy(() -> journal.commit(tid))
                .isInstanceOf(DeviceException.class)
                .hasCause(cause);
        journal.close();
        assertThat(host.abortCalls).isEqualTo(1);
        assertThat(onDisk(block)).isZero();
        if (name.equals("jbd2")) {
            assertThat(new Jbd2Provider().recover(host).transactions()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void aDeviceErrorAtAnyOperationAborts(String name) {
        for (int at = 0; at < 12; at++) {
            makeImage();
            Journal journal = open(name);
            FakeBlock block = host.block(700);
            journal.commit(change(journal, block, 1));
            failing.failIn(at, false);
            boolean failed = false;
            try {
                journal.commit(change(journal, block, 2));
                journal.close();
            } catch (DeviceException e) {
                failed = true;
            }
            assertThat(failed).as("failing from operation %s on", at).isEqualTo(journal.abortCause() != null);
            failing.heal();
            journal.close();
            assertThat(block.pins.get()).isZero();
            new Jbd2Provider().recover(host);
            assertThat(onDisk(block)).isBetween(1L, 2L);
        }
    }
}
