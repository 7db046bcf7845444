// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import java.util.function.Consumer;

/**
 * How a check runs.
 *
 * @param progress told the name of each pass as it begins, in the checking thread
 * @param maxLines most lines about problems that are printed; further ones are only counted
 */
public record CheckOptions(Consumer<String> progress, int maxLines) {
    private static final int DEFAULT_LINES = 10_000;

    /** No progress, 10 000 lines. */
    public static final CheckOptions DEFAULT = new CheckOptions(pass -> {}, DEFAULT_LINES);

    public CheckOptions withProgress(Consumer<String> callback) {
        return new CheckOptions(callback, maxLines);
    }
}
