// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

/** A command ends with a message to the operator: one line, without the command's name. */
public final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    /** The line. */
    public Failure(String line) {
        super(line, null, false, false);
    }
}
