// SPDX-License-Identifier: Apache-2.0
/** The processes of a measurement: each carries out runs on request, so that rounds of several can alternate. */
package ext4.bench.worker;
