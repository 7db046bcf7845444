// SPDX-License-Identifier: Apache-2.0
/** The orphan strategy is switched under load: what an operator would see. */
package ext4.bench.live;
