// SPDX-License-Identifier: Apache-2.0
/**
 * For integration tests with Pax Exam: a test that asks for {@link ext4.exam.Ext4Exam} has an ext4 filesystem mounted when
 * it begins, and finds it as the service {@link ext4.exam.MountedImage}.
 *
 * <pre>{@code
 * @Configuration
 * public Option[] parts() {
 *     return options(junitBundles(), Ext4Exam.fresh(64 << 20).option());
 * }
 *
 * @Inject
 * MountedImage ext4;
 * }</pre>
 */
@Export
@Version("1.0.0")
package ext4.exam;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
