// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import java.util.function.UnaryOperator;

/**
 * Calls from a test inside the framework to the class path outside of it, where the packages that no bundle exports can
 * be reached. Only strings cross.
 */
final class Outside {
    private Outside() {}

    /** A new filesystem of {@code bytes} in that file; replaces what an earlier run left. */
    static void make(String image, long bytes) {
        call("ext4.itest.ImageMaker", bytes + " " + image);
    }

    /** What is wrong with an image that is not mounted: empty if nothing is. */
    static String judge(String image) {
        return call("ext4.itest.ImageJudge", image);
    }

    @SuppressWarnings("unchecked")
    private static String call(String type, String argument) {
        UnaryOperator<String> there;
        try {
            there = (UnaryOperator<String>) ClassLoader.getSystemClassLoader()
                    .loadClass(type)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return there.apply(argument);
    }
}
