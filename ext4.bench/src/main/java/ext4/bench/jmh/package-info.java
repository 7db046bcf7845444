// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks of single calls. */
package ext4.bench.jmh;
