// SPDX-License-Identifier: Apache-2.0
/** {@code ext4 lab soak}: every part is replaced again and again under loads that know what each call must return. */
package ext4.lab.soak;
