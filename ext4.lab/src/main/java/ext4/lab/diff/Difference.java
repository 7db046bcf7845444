// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

/**
 * Where the two sides differ.
 *
 * @param kind the verb or moment, and what of it: the same for the same mistake
 * @param about the path or the like
 * @param kernel what the kernel has
 * @param ours what this project has
 */
record Difference(String kind, String about, String kernel, String ours) {
    @Override
    public String toString() {
        return kind + (about.isEmpty() ? "" : " of '" + about + "'") + ": kernel: " + kernel + " | here: " + ours;
    }
}
