// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

/** {@code count} blocks from block {@code start} on. */
record Run(long start, long count) {
    long end() {
        return start + count;
    }
}
