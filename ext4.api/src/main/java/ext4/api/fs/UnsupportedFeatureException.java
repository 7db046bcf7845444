// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import java.util.List;

/** The filesystem uses features that this implementation does not have; they are named as mke2fs names them. */
public final class UnsupportedFeatureException extends Ext4Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<String> features;

    /** The features, for example {@code bigalloc}, and what was refused because of them. */
    public UnsupportedFeatureException(String refused, List<String> features) {
        super(
                refused + ": unsupported feature" + (features.size() == 1 ? " " : "s ") + String.join(", ", features),
                null,
                true);
        this.features = List.copyOf(features);
    }

    /** Names as mke2fs(8) prints them. */
    public List<String> features() {
        return features;
    }

    @Override
    public Errno errno() {
        return Errno.EOPNOTSUPP;
    }
}
