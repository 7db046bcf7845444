// SPDX-License-Identifier: Apache-2.0
/**
 * The keeper process: holds descriptors, starts servers, and knows nothing of filesystems. Small, since there is one for
 * each mount that is kept, and it has to live longer than anything that could go wrong.
 */
package ext4.keeper.process;
