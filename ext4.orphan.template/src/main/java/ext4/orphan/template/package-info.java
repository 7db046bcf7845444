// SPDX-License-Identifier: Apache-2.0
/**
 * A strategy to copy: orphans go to the slots of the orphan file in the kernel's manner, each at once, and to the chain when
 * the file is full or the filesystem has none. Copy the folder, give package, module and {@code ext4.orphan.strategy} a name
 * of your own, change what you want to do differently, and keep the test.
 */
package ext4.orphan.template;
