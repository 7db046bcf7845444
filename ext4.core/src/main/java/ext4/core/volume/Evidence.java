// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import ext4.api.fs.CorruptException;
import ext4.format.FormatException;

/** What the format found wrong, as the corrupt kind of error. */
public final class Evidence {
    /** A check of the format. */
    @FunctionalInterface
    public interface Check {
        void run() throws FormatException;
    }

    /** A parse of the format. */
    @FunctionalInterface
    public interface Parse<T> {
        T run() throws FormatException;
    }

    private Evidence() {}

    /** The same evidence in the exception of the API. */
    public static CorruptException of(FormatException e) {
        return new CorruptException(e.structure(), e.block(), e.field(), e.found(), e.expected());
    }

    /** Runs a check; what it finds is thrown as {@link CorruptException}. */
    public static void check(Check check) {
        try {
            check.run();
        } catch (FormatException e) {
            throw of(e);
        }
    }

    /** Runs a parse; what it finds wrong is thrown as {@link CorruptException}. */
    public static <T> T parse(Parse<T> parse) {
        try {
            return parse.run();
        } catch (FormatException e) {
            throw of(e);
        }
    }
}
