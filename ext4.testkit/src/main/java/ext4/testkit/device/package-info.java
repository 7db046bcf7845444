// SPDX-License-Identifier: Apache-2.0
/** Block devices for tests: one that records every write and flush, and one that fails at a chosen operation. */
@Export
@Version("0.1.0")
package ext4.testkit.device;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
