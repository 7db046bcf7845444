// SPDX-License-Identifier: Apache-2.0
package ext4.exam;

import ext4.api.fs.FileSystem;
import ext4.api.mount.Mount;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Service: the filesystem that {@link Ext4Exam} asked for. It is there as soon as the mount has come up, or has failed;
 * then each method but {@link #mount} says why.
 */
@ProviderType
public interface MountedImage {
    /**
     * The mount point: below it {@code java.nio.file} is served by the filesystem.
     *
     * @throws IllegalStateException with the reason if it did not come up; if it is {@link Ext4Exam#inProcess}
     */
    Path root();

    /**
     * The verbs, in this process.
     *
     * @throws IllegalStateException with the reason if it did not come up
     */
    FileSystem fileSystem();

    /** The image file, to be looked at after {@link Mount#unmount}. */
    Path image();

    /** What an operator has: to switch its parts, to look at its state, to unmount. */
    Mount mount();
}
