// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.superblock.Feature;
import ext4.format.superblock.Features;
import java.util.EnumSet;
import java.util.Set;

/**
 * The features of a new filesystem: the defaults of mke2fs.conf(5) for ext4, changed by a list. What depends on a feature
 * that was taken away goes with it, unless it was asked for by name: then that is an error.
 */
final class MkfsFeatures {
    private static final Set<Feature> DEFAULTS = EnumSet.of(
            Feature.SPARSE_SUPER,
            Feature.LARGE_FILE,
            Feature.FILETYPE,
            Feature.RESIZE_INODE,
            Feature.DIR_INDEX,
            Feature.EXT_ATTR,
            Feature.HAS_JOURNAL,
            Feature.EXTENTS,
            Feature.HUGE_FILE,
            Feature.FLEX_BG,
            Feature.METADATA_CSUM,
            Feature.CSUM_SEED,
            Feature.BIT64,
            Feature.DIR_NLINK,
            Feature.EXTRA_ISIZE,
            Feature.ORPHAN_FILE);

    private static final Set<Feature> MORE =
            EnumSet.of(Feature.SPARSE_SUPER2, Feature.META_BG, Feature.GDT_CSUM, Feature.STABLE_INODES);

    private final Set<Feature> on = EnumSet.copyOf(DEFAULTS);
    private final Set<Feature> named = EnumSet.noneOf(Feature.class);

    /** The defaults changed by {@code list}, see {@link MkfsOptions#features}. */
    MkfsFeatures(String list) {
        for (String word : list.split("[,\\s]+")) {
            if (!word.isEmpty()) {
                apply(word);
            }
        }
        if (on.contains(Feature.METADATA_CSUM)) {
            on.remove(Feature.GDT_CSUM); // the same flags, with the stronger sum
        }
        needs(Feature.CSUM_SEED, Feature.METADATA_CSUM);
        needs(Feature.ORPHAN_FILE, Feature.HAS_JOURNAL);
        needs(Feature.BIT64, Feature.EXTENTS);
        if (!on.contains(Feature.SPARSE_SUPER2)) {
            needs(Feature.RESIZE_INODE, Feature.SPARSE_SUPER);
        }
        if (on.contains(Feature.META_BG)) {
            useMetaBlockGroups();
        }
    }

    private void apply(String word) {
        if (word.equals("none")) {
            on.clear();
            return;
        }
        boolean wanted = !word.startsWith("^");
        Feature feature = Feature.named(wanted ? word : word.substring(1));
        if (feature == null) {
            throw new MkfsException("unknown feature: " + word);
        }
        if (!wanted) {
            on.remove(feature);
            named.remove(feature);
        } else if (DEFAULTS.contains(feature) || MORE.contains(feature)) {
            on.add(feature);
            named.add(feature);
        } else {
            throw new MkfsException("feature " + feature.mkeName() + " is not supported");
        }
    }

    private void needs(Feature feature, Feature other) {
        if (on.contains(feature) && !on.contains(other)) {
            if (named.contains(feature)) {
                throw new MkfsException("feature " + feature.mkeName() + " needs feature " + other.mkeName());
            }
            on.remove(feature);
        }
    }

    /** Turns meta_bg on, which resize_inode excludes. */
    void useMetaBlockGroups() {
        if (named.contains(Feature.RESIZE_INODE)) {
            throw new MkfsException("features resize_inode and meta_bg exclude each other here");
        }
        on.add(Feature.META_BG);
        on.remove(Feature.RESIZE_INODE);
    }

    /** Takes a feature away for which the filesystem is too small or too large. */
    void drop(Feature feature) {
        on.remove(feature);
    }

    /** Adds a feature that the result needs. */
    void add(Feature feature) {
        on.add(feature);
    }

    boolean has(Feature feature) {
        return on.contains(feature);
    }

    Features words() {
        Features words = Features.NONE;
        for (Feature feature : on) {
            words = words.with(feature);
        }
        return words;
    }
}
