// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.util.ArrayList;
import java.util.List;

/**
 * Steps on a filesystem, as a text that can be replayed.
 *
 * @param setting the filesystem
 * @param steps in order
 */
record Script(Setting setting, List<Step> steps) {
    private static final String OPTIONS = "# options ";
    private static final String BYTES = "# bytes ";
    private static final String UUID = "# uuid ";

    Script {
        steps = List.copyOf(steps);
    }

    /** The text, a line each. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(OPTIONS + setting.options());
        lines.add(BYTES + setting.bytes());
        lines.add(UUID + setting.uuid());
        steps.forEach(step -> lines.add(step.toString()));
        return lines;
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException naming the line that is none
     */
    static Script parse(List<String> lines) {
        Setting setting = Setting.of(Setting.ALL.getFirst(), 1);
        List<Step> steps = new ArrayList<>();
        int number = 0;
        for (String line : lines) {
            number++;
            try {
                if (line.startsWith(OPTIONS)) {
                    setting = new Setting(line.substring(OPTIONS.length()), setting.bytes(), setting.uuid());
                } else if (line.startsWith(BYTES)) {
                    long bytes = Long.parseLong(line.substring(BYTES.length()).strip());
                    setting = new Setting(setting.options(), bytes, setting.uuid());
                } else if (line.startsWith(UUID)) {
                    setting = new Setting(
                            setting.options(),
                            setting.bytes(),
                            line.substring(UUID.length()).strip());
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    steps.add(Step.parse(line));
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
            }
        }
        return new Script(setting, steps);
    }
}
