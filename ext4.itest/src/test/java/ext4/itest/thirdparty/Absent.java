// SPDX-License-Identifier: Apache-2.0
package ext4.itest.thirdparty;

/** A class that {@link FaultyBundle} leaves out of its jar. */
final class Absent {
    private Absent() {}

    static void use() {
        throw new AssertionError("it is there");
    }
}
