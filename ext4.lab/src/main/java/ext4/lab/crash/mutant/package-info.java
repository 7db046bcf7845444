// SPDX-License-Identifier: Apache-2.0
/** Mistakes that an exploration must find: planted between the parts, which stay as they are. */
package ext4.lab.crash.mutant;
