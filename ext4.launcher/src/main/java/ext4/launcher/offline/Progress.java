// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.image.ByteNames;
import ext4.image.CopyListener;
import java.io.IOException;

/** How a copy goes: failures as they come, and on a terminal how far it is, once it takes longer than a moment. */
final class Progress implements CopyListener {
    private static final long FIRST_NANOS = 1_000_000_000L;
    private static final long NEXT_NANOS = 200_000_000L;
    private static final int COLUMNS = 79;
    private static final String CLEAR = "\r\033[K";

    private final Output output;
    private final boolean isTerminal;
    private long due = System.nanoTime() + FIRST_NANOS;
    private boolean shown;
    private long files;
    private long bytes;
    private String path = "";

    Progress(Output output, boolean isTerminal) {
        this.output = output;
        this.isTerminal = isTerminal;
    }

    @Override
    public void began(String next) {
        path = next;
        show();
        files++;
    }

    @Override
    public void copied(long count) {
        bytes += count;
        show();
    }

    @Override
    public void failed(IOException e) {
        clear();
        output.trouble(e, 1);
    }

    private void show() {
        if (!isTerminal || System.nanoTime() - due < 0) {
            return;
        }
        due = System.nanoTime() + NEXT_NANOS;
        String line = files + " files, " + (bytes >> 20) + " MiB  " + ByteNames.escapeForMessage(path);
        System.err.print(CLEAR + line.substring(0, Math.min(line.length(), COLUMNS)));
        shown = true;
    }

    /** Takes the line off the terminal. */
    void clear() {
        if (shown) {
            System.err.print(CLEAR);
            shown = false;
        }
    }
}
