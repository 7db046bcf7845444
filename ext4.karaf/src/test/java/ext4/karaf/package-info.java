// SPDX-License-Identifier: Apache-2.0
/** A real Karaf, from its own archive, set up as README.md says and in no other way. */
package ext4.karaf;
