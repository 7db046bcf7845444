// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.container;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the bundles that know nothing but java.util.logging say: to standard error, in lines like those of the log. */
final class JavaLogging {
    /** Kept, since a logger that nobody holds forgets its level. */
    private static final Logger WEAVER = Logger.getLogger("org.apache.aries.spifly");

    private static final Logger FILE_INSTALL = Logger.getLogger("fileinstall");
    private static final String FORMAT = "java.util.logging.SimpleFormatter.format";

    private JavaLogging() {}

    static void quiet() {
        if (System.getProperty(FORMAT) == null) {
            System.setProperty(FORMAT, "%1$tT.%1$tL %4$-5s %3$s - %5$s%6$s%n");
        }
        WEAVER.setLevel(Level.WARNING);
        FILE_INSTALL.setFilter(record -> !savesWhatIsDeleted(record));
    }

    /** File Install tells as an error that a configuration was deleted before it could be saved. */
    private static boolean savesWhatIsDeleted(LogRecord record) {
        return record.getThrown() instanceof IllegalStateException deleted
                && String.valueOf(deleted.getMessage()).endsWith(" deleted");
    }
}
