// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.MountOptions.Errors;

/**
 * Which operation goes wrong, how, and where.
 *
 * @param operation number in the workload, from 0
 */
record Case(long operation, Way way, Setting setting, Errors errors) {
    /** As {@link #toString} writes it. */
    static Case parse(String text) {
        String[] words = text.split(":", -1);
        if (words.length != 5) {
            throw new IllegalArgumentException("a case is OPERATION:WAY:journal|none:STRATEGY:ERRORS, not " + text);
        }
        return new Case(
                Long.parseLong(words[0]),
                Way.valueOf(words[1]),
                new Setting(words[2].equals("journal"), words[3]),
                Errors.valueOf(words[4]));
    }

    @Override
    public String toString() {
        return operation + ":" + way.name() + ":" + setting + ":" + errors;
    }
}
