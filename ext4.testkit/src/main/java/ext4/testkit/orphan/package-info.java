// SPDX-License-Identifier: Apache-2.0
/** The contract of an orphan strategy as a test class that a strategy's own test extends, and a store to run it on. */
@Export
@Version("0.1.0")
package ext4.testkit.orphan;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
