// SPDX-License-Identifier: Apache-2.0
package ext4.core.info;

import ext4.format.superblock.RawSuperblock;
import ext4.format.superblock.RawSuperblock.RecordedError;
import ext4.format.superblock.SuperblockFields;

/** The errors that a filesystem has recorded about itself. */
final class ErrorText {
    private static final String[] CODES = {
        "",
        "UNKNOWN",
        "EIO",
        "ENOMEM",
        "EFSBADCRC",
        "EFSCORRUPTED",
        "ENOSPC",
        "ENOKEY",
        "EROFS",
        "EFBIG",
        "EEXIST",
        "ERANGE",
        "EOVERFLOW",
        "EBUSY",
        "ENOTDIR",
        "ENOTEMPTY",
        "ESHUTDOWN",
        "EFAULT"
    };

    private final RawSuperblock sb;
    private final Lines lines;

    ErrorText(RawSuperblock sb, Lines lines) {
        this.sb = sb;
        this.lines = lines;
    }

    void print() {
        lines.nonZero("FS Error count:", SuperblockFields.errorCount(sb.bytes(), 0));
        error("First error ", sb.firstError());
        error("Last error ", sb.lastError());
    }

    private void error(String which, RecordedError error) {
        if (error.time() == 0) {
            return;
        }
        lines.time(which + "time:", error.time());
        lines.text(which + "function:", error.function());
        lines.number(which + "line #:", error.line());
        lines.nonZero(which + "inode #:", error.ino());
        lines.nonZero(which + "block #:", error.block());
        if (error.code() != 0) {
            lines.text(
                    which + "err:",
                    error.code() < CODES.length ? CODES[error.code()] : "UNKNOWN_ERRCODE_" + error.code());
        }
    }
}
