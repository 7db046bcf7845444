// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a contract's test class where no JUnit runner does it: inside a framework, in a Pax Exam test for example, or to see
 * that a planted mistake is found. Needs the JUnit Platform's launcher and the Jupiter engine.
 */
@Export
@Version("0.1.0")
package ext4.testkit.run;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
