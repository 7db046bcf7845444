// SPDX-License-Identifier: Apache-2.0
/**
 * System calls of Linux through java.lang.foreign: the only room of the project that makes any.
 *
 * <p>Every call returns what the C function returns, or the negative error number (errno(3)) where that reports failure
 * by -1. No call is made "critical", since most of them may block.
 */
@Export
@Version("1.1.0")
package ext4.sys;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
