// SPDX-License-Identifier: Apache-2.0
/** Rounds of runs on several subjects in turn, and what came out of them. */
package ext4.bench.measure;
