// SPDX-License-Identifier: Apache-2.0
package ext4.api.mount;

/**
 * What Event Admin is told of a mounted filesystem, where there is one: topics, and the properties of each event. Values are
 * text or {@link Long}; a property that makes no sense for an event is not there.
 */
public final class MountEvents {
    /** A part was replaced, or one that was missing is at work. */
    public static final String REPLACED = "ext4/mount/REPLACED";
    /** A part was not replaced: the one before is at work. */
    public static final String REFUSED = "ext4/mount/REFUSED";
    /** A part is gone without a successor: requests that need it wait. */
    public static final String MISSING = "ext4/mount/MISSING";

    /** Where the filesystem is mounted. */
    public static final String MOUNTPOINT = "mountpoint";
    /** Which part, by {@link ext4.api.fs.SwapReport.Part#word}. */
    public static final String PART = "part";
    /** The service before, by its name. */
    public static final String FROM = "from";
    /** The service after, or the one that refused, by its name. */
    public static final String TO = "to";
    /** How long callers had to wait, in microseconds. */
    public static final String PAUSE = "pause";
    /** Orphans handed over. */
    public static final String ORPHANS = "orphans";
    /** Bytes written while callers waited. */
    public static final String FLUSHED = "flushed";
    /** Why it was not replaced, or what to do about a missing one, in one line. */
    public static final String REASON = "reason";

    private MountEvents() {}
}
