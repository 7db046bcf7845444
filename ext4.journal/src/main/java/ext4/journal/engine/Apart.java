// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

/** Room before the fields of a subclass, so that two objects that the collector put side by side share no cache line. */
abstract class Apart {
    @SuppressWarnings("unused")
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;
}
