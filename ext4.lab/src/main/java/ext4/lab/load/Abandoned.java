// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

/** A call did not return what it must: it was reported, and the model of its tree is worth nothing any more. */
public final class Abandoned extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Abandoned(String message) {
        super(message, null, false, false);
    }
}
