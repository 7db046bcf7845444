// SPDX-License-Identifier: Apache-2.0
/** Where tasks wait for each other, by a flight recording, and what more than one of them writes, by a list. */
package ext4.bench.profile;
