// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/** A structure on disk contradicts the format. Carries the evidence: which structure, block, field, found, expected. */
public final class CorruptException extends Ext4Exception {
    private static final long serialVersionUID = 1L;
    private final String structure;
    private final long block;
    private final String field;
    private final String found;
    private final String expected;

    /**
     * @param structure what it is, for example {@code inode 12} or {@code extent node}
     * @param block physical block number, or -1 where none applies
     * @param field the field at fault
     * @param found what stands there
     * @param expected what the format asks for
     */
    public CorruptException(String structure, long block, String field, String found, String expected) {
        super(
                structure + (block >= 0 ? ", block " + block : "") + ": " + field + " is " + found + ", expected "
                        + expected,
                null,
                true);
        this.structure = structure;
        this.block = block;
        this.field = field;
        this.found = found;
        this.expected = expected;
    }

    /** The structure at fault. */
    public String structure() {
        return structure;
    }

    /** Physical block number, or -1. */
    public long block() {
        return block;
    }

    /** The field at fault. */
    public String field() {
        return field;
    }

    /** What stands there. */
    public String found() {
        return found;
    }

    /** What the format asks for. */
    public String expected() {
        return expected;
    }

    @Override
    public Errno errno() {
        return Errno.EUCLEAN;
    }
}
