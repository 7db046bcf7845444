// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import ext4.api.fs.SwapReport;

/**
 * Something happened to a part of a mount.
 *
 * @param outcome what
 * @param mountpoint of which mount
 * @param report what was done; of a refusal its part and names alone
 * @param reason why it was refused, or what to do about a missing part; null if it was replaced
 */
public record SwapEvent(Outcome outcome, String mountpoint, SwapReport report, String reason) {
    /** How an attempt ended. */
    public enum Outcome {
        /** Another service is at work. */
        REPLACED,
        /** The one before is at work. */
        REFUSED,
        /** None is at work. */
        MISSING
    }
}
