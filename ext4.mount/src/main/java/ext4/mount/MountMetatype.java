// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What a configuration can say, for tools that show it; an underscore stands for the dot of the property's name. */
@ObjectClassDefinition(name = "ext4 mount", description = "A mounted filesystem. Deleting it unmounts.")
@interface MountMetatype {
    @AttributeDefinition(description = "image file or block device")
    String image();

    @AttributeDefinition(description = "absolute path of a directory")
    String mountpoint();

    @AttributeDefinition(required = false, description = "comma-separated, as for mount(8)")
    String options() default "";

    @AttributeDefinition(
            required = false,
            description =
                    "fuse or fuse-uring, or none for use in this process only; a change replaces it live; empty: the"
                            + " best that works here")
    String transport() default "";

    @AttributeDefinition(required = false, description = "by name; a change replaces it live; empty: ranking decides")
    String journal() default "";

    @AttributeDefinition(required = false, description = "by name; a change replaces it live; empty: ranking decides")
    String core() default "";

    @AttributeDefinition(required = false, description = "by name; a change switches it live; empty: ranking decides")
    String orphan_strategy() default "";

    @AttributeDefinition(required = false, description = "used while the named strategy is not there")
    String orphan_fallback() default "";

    @AttributeDefinition(required = false, description = "seconds that requests wait for a missing part")
    int part_limit() default 30;
}
