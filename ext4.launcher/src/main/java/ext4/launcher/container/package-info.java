// SPDX-License-Identifier: Apache-2.0
/** The embedded OSGi framework. */
package ext4.launcher.container;
