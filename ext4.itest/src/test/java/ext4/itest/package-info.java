// SPDX-License-Identifier: Apache-2.0
/**
 * Tests inside a real OSGi framework, with Pax Exam: in Felix, then the same in Equinox. They run at {@code verify}:
 * {@code ./mvnw -pl ext4.itest -am verify -Dit.test=StartIT -Dtest=NoUnitTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dfailsafe.failIfNoSpecifiedTests=false}.
 *
 * <p>To add one:
 *
 * <ol>
 *   <li>Name the class {@code *IT}. Pax Exam is JUnit 4: {@code org.junit.Test}, {@code @RunWith(PaxExam.class)},
 *       {@code @ExamReactorStrategy(PerClass.class)} for one framework a class, {@code PerMethod} for one a test.
 *   <li>Say what runs in one {@code @Configuration} method, from {@link ext4.itest.Options}. It runs outside the
 *       framework; the tests run inside, in a bundle made of this module's test classes, whose packages are imported as
 *       they are needed. AssertJ is there.
 *   <li>{@code @Inject} takes services and the {@code BundleContext}, and waits for a service up to the system timeout.
 *   <li>A new module is a dependency in this module's pom.xml, in test scope, and a line in Options. Bundles are copied
 *       at {@code package}: a test sees only what has been packaged.
 *   <li>A test on a mounted filesystem extends {@link ext4.itest.MountCase}: a new image, a mount by configuration, a load
 *       that knows what it must find, and afterwards the judgement of the project's check and e2fsck. What no bundle
 *       exports is called through {@link ext4.itest.Outside}.
 *   <li>An assumption that fails inside the framework is not heard outside: a test that may have to be skipped has a
 *       runner that decides first, as {@link ext4.itest.FuseRunner}.
 *   <li>To update or reinstall a bundle, take its URL from {@link ext4.itest.Options#url}.
 * </ol>
 *
 * <p>Logging starts first (start level 1), then services (2), then our bundles (4), then the test. The logback bundles
 * must stay off the class path outside the framework.
 */
package ext4.itest;
