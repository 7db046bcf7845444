// SPDX-License-Identifier: Apache-2.0
package ext4.format.superblock;

import java.util.ArrayList;
import java.util.List;

/** The three feature words of a filesystem. Immutable. */
public record Features(int compat, int incompat, int roCompat) {
    private static final int SUPPORTED_INCOMPAT = Feature.supportedMask(Feature.Set.INCOMPAT);
    private static final int SUPPORTED_RO_COMPAT = Feature.supportedMask(Feature.Set.RO_COMPAT);

    /** No feature at all. */
    public static final Features NONE = new Features(0, 0, 0);

    public boolean has(Feature feature) {
        return (word(feature.set()) & feature.bit()) != 0;
    }

    public Features with(Feature feature) {
        return change(feature, feature.bit());
    }

    public Features without(Feature feature) {
        return change(feature, 0);
    }

    private Features change(Feature feature, int value) {
        int keep = ~feature.bit();
        return switch (feature.set()) {
            case COMPAT -> new Features(compat & keep | value, incompat, roCompat);
            case INCOMPAT -> new Features(compat, incompat & keep | value, roCompat);
            case RO_COMPAT -> new Features(compat, incompat, roCompat & keep | value);
        };
    }

    private int word(Feature.Set set) {
        return switch (set) {
            case COMPAT -> compat;
            case INCOMPAT -> incompat;
            case RO_COMPAT -> roCompat;
        };
    }

    /** Names of all features in the order dumpe2fs prints them: compat, incompat, ro_compat, low bit first. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (Feature.Set set : Feature.Set.values()) {
            names.addAll(names(set, word(set)));
        }
        return names;
    }

    /** Names of what forbids to mount at all; empty when it may be mounted. */
    public List<String> unsupportedIncompat() {
        return names(Feature.Set.INCOMPAT, incompat & ~SUPPORTED_INCOMPAT);
    }

    /** Names of what forbids to write; empty when it may be mounted read-write. */
    public List<String> unsupportedRoCompat() {
        return names(Feature.Set.RO_COMPAT, roCompat & ~SUPPORTED_RO_COMPAT);
    }

    private static List<String> names(Feature.Set set, int bits) {
        List<String> names = new ArrayList<>();
        for (int left = bits; left != 0; left &= left - 1) {
            names.add(Feature.nameOf(set, Integer.lowestOneBit(left)));
        }
        return names;
    }
}
