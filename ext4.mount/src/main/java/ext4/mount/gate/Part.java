// SPDX-License-Identifier: Apache-2.0
package ext4.mount.gate;

/** A part of a mounted filesystem that can be missing while it is replaced. */
public enum Part {
    /** The core: without it nothing can be answered. */
    CORE,
    /** The journal: without it nothing can be changed. */
    JOURNAL,
    /** The orphan strategy: without it nothing can be deleted or truncated. */
    ORPHANS
}
