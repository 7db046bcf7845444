// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of ARCHITECTURE.md as tests over all modules: who may see whom, where raw bytes and system calls live, and
 * how long a file or a method may get. A rule that can be broken without a test noticing has a fixture that breaks it.
 */
package ext4.arch;
