// SPDX-License-Identifier: Apache-2.0
/** {@code ext4 lab}: the project's test tools, which are no part of what an operator runs. */
package ext4.lab;
