// SPDX-License-Identifier: Apache-2.0
package ext4.format;

/**
 * Bytes that cannot be what they should be, with the evidence. Checked on purpose: whoever reads a block decides what
 * corruption means there (the core makes its corrupt-filesystem error of it).
 */
public final class FormatException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Block number of evidence whose place the checking function was not told. */
    public static final long UNKNOWN_BLOCK = -1;

    private final String structure;
    private final long block;
    private final String field;
    private final String found;
    private final String expected;

    /**
     * @param structure what was read, in the words of the format ("superblock", "extent node")
     * @param block physical block it came from, or {@link #UNKNOWN_BLOCK}
     * @param field field name as the kernel's documentation has it
     * @param found what stands there
     * @param expected what may stand there
     */
    public FormatException(String structure, long block, String field, String found, String expected) {
        super(structure + (block == UNKNOWN_BLOCK ? "" : " in block " + block) + ": " + field + " is " + found
                + ", expected " + expected);
        this.structure = structure;
        this.block = block;
        this.field = field;
        this.found = found;
        this.expected = expected;
    }

    /** As the other constructor, with a number found. */
    public FormatException(String structure, long block, String field, long found, String expected) {
        this(structure, block, field, Long.toString(found), expected);
    }

    public String structure() {
        return structure;
    }

    public long block() {
        return block;
    }

    public String field() {
        return field;
    }

    public String found() {
        return found;
    }

    public String expected() {
        return expected;
    }
}
