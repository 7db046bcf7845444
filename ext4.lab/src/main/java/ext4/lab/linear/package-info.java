// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ext4 lab linear}: operations on names from several threads at the same time must have an order, one after the
 * other and each between its call and its return, in which a simple model of a namespace gives the same answers.
 */
package ext4.lab.linear;
