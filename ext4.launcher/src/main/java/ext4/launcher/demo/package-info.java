// SPDX-License-Identifier: Apache-2.0
/** {@code ext4 demo}: the two reports' workload in small, and a strategy switched under it. */
package ext4.launcher.demo;
