// SPDX-License-Identifier: Apache-2.0
/**
 * A bundle that the lab puts into the container: it replaces the bundles of parts under a mount and looks whether
 * anything of them stays. It is told what to do on standard input.
 */
package ext4.lab.agent;
