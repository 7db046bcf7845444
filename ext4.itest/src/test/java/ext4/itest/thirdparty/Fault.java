// SPDX-License-Identifier: Apache-2.0
package ext4.itest.thirdparty;

/** A way not to take over, and what the operator is told of it. */
public enum Fault {
    /** It says that it can't. */
    REFUSES("it does not do that"),
    /** It throws what nobody expects. */
    THROWS("it broke"),
    /** A class of it is not there: what becomes of a bundle that was built without it, or closed meanwhile. */
    LACKS_A_CLASS("Absent"),
    /** The heap is too small for it. */
    HAS_NO_MEMORY("heap space"),
    /** It returns null. */
    GIVES_NOTHING("");

    /** Component property with the constant's name. */
    public static final String PROPERTY = "fault";

    /** Part of what it says. */
    public final String reason;

    Fault(String reason) {
        this.reason = reason;
    }

    /** The service's name. */
    public String text() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
