// SPDX-License-Identifier: Apache-2.0
/**
 * Ext4 images by path, for programs: {@link ext4.image.Ext4Image} opens one, in a file, on a block device or in memory,
 * and lists, reads and changes what is in it. No root, no mount, no container; plain Java but for {@code copyIn} and
 * {@code copyOut}, which make Linux system calls to keep what {@code java.nio.file} cannot.
 *
 * <p><b>Paths</b> are text with slashes, from the root of the image whether or not they begin with one; {@code ..} of the
 * root is the root, and symbolic links, absolute ones too, lead to places inside the image. More than 40 links in one
 * path are a loop.
 *
 * <p><b>Names</b> are bytes on disk. They are read as UTF-8; a byte that isn't part of valid UTF-8 becomes the lone
 * surrogate U+DC00 + byte, and back, so every name survives the round trip. See {@link ext4.image.ByteNames}.
 *
 * <p><b>Access</b> is the superuser's: modes and owners are data here, not guards.
 *
 * <p><b>Threads.</b> Any number may use one image at once; a channel's position belongs to whoever uses the channel.
 *
 * <p><b>Errors</b> are those of {@code java.nio.file}, with the path in the image; what is damaged or unsupported is
 * {@link ext4.image.CorruptImageException} and {@link ext4.image.UnsupportedImageException}.
 */
@Export
@Version("1.0.0")
package ext4.image;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
