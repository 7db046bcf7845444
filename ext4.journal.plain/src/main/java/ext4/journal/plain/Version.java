// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.journal.MetaBlock;

/** A frozen version of a block, which nobody modifies. The journal has the block pinned once for each that it keeps. */
record Version(MetaBlock block, byte[] bytes) {}
