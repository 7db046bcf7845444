// SPDX-License-Identifier: Apache-2.0
package example;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.junitBundles;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.api.fs.StatFs;
import ext4.exam.Ext4Exam;
import ext4.exam.MountedImage;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;

/** The same without /dev/fuse and without rights. */
@RunWith(PaxExam.class)
public class InProcessTest {
    @Configuration
    public Option[] parts() {
        return options(junitBundles(), Ext4Exam.fresh(64 << 20).inProcess().strategy("sharded").option());
    }

    @Inject
    private MountedImage ext4;

    @Test
    public void theVerbsAreAtHand() {
        StatFs size = ext4.fileSystem().statfs();
        assertTrue(size.free() < size.blocks());
        assertEquals("sharded", ext4.mount().strategies().current());
    }
}
