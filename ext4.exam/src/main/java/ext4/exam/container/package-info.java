// SPDX-License-Identifier: Apache-2.0
/** The half of this bundle that works inside the framework: it configures the mount and waits for it. */
package ext4.exam.container;
