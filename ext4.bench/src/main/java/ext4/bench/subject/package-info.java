// SPDX-License-Identifier: Apache-2.0
/** What is measured: this filesystem in-process and mounted, and its peers; each is started, worked on and cleaned up. */
package ext4.bench.subject;
