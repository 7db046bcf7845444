// SPDX-License-Identifier: Apache-2.0
/** What was measured as tables in the reports' own layout, comma-separated values and charts. */
package ext4.bench.report;
