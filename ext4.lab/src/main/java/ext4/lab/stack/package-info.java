// SPDX-License-Identifier: Apache-2.0
/** A filesystem of this project in the process of the command, without a container. */
package ext4.lab.stack;
