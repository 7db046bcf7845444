// SPDX-License-Identifier: Apache-2.0
/** The judges: e2fsprogs and the kernel's own ext4, run as processes and loop mounts. */
@Export
@Version("0.1.0")
package ext4.testkit.oracle;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
