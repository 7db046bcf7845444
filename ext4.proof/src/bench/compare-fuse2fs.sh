#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Creates, finds and removes empty files in 8 directories side by side, on this project's mount and on fuse2fs in turn,
# images on the same tmpfs. Prints min, median and max of each time, and of the ratio round by round.
# usage, as root: compare-fuse2fs.sh [ROUNDS [FILES_PER_DIRECTORY]]    needs fuse2fs, fs_mark, e2fsprogs
set -euo pipefail
rounds=${1:-5} files=${2:-1000}
here=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d /dev/shm/ext4-compare.XXXXXX)
mkdir "$work/ext4" "$work/fuse2fs"
trap 'umount -l "$work/ext4" "$work/fuse2fs" 2>/dev/null; sleep 1; rm -rf "$work"' EXIT

now() { date +%s%N; }
# note FILE BEGIN: seconds since then
note() { awk "BEGIN { printf \"%.3f\\n\", ($(now) - $2) / 1e9 }" >>"$work/$1"; }

# measure WHO PREFIX: one round on that mount; appends to $work/PREFIX.{create,find,remove}
measure() {
  local mnt=$work/$1 prefix=$2 begin dirs=() i pids=()
  for i in 1 2 3 4 5 6 7 8; do dirs+=(-d "./d$i"); done
  begin=$(now)
  (cd "$mnt" && fs_mark -S 0 -s 0 -k -n "$files" "${dirs[@]}" -l "$work/log" >/dev/null)
  note "$prefix.create" "$begin"
  begin=$(now)
  [ "$(find "$mnt" -type f -printf . | wc -c)" -eq $((8 * files)) ]
  note "$prefix.find" "$begin"
  begin=$(now)
  for i in 1 2 3 4 5 6 7 8; do rm -rf "$mnt/d$i" & pids+=($!); done
  for i in "${pids[@]}"; do wait "$i"; done
  note "$prefix.remove" "$begin"
}

spread() { sort -n | awk '{ v[NR] = $1 } END { printf "%s / %s / %s", v[1], v[int((NR + 1) / 2)], v[NR] }'; }

for who in ext4 fuse2fs; do
  truncate -s 1G "$work/$who.image"
  mke2fs -q -F -t ext4 "$work/$who.image"
done
fuse2fs -o fakeroot "$work/fuse2fs.image" "$work/fuse2fs"
"$here/ext4" mount -o orphan=sharded "$work/ext4.image" "$work/ext4"
for warm in 1 2 3; do measure ext4 warmup; done
measure fuse2fs warmup
for ((round = 1; round <= rounds; round++)); do
  [ ! -t 2 ] || printf '\rround %d of %d' "$round" "$rounds" >&2
  measure fuse2fs fuse2fs
  measure ext4 ext4
done
[ ! -t 2 ] || echo >&2
"$here/ext4" umount "$work/ext4"
e2fsck -fn "$work/ext4.image" >/dev/null 2>&1 || { echo "the image is not clean" >&2; exit 1; }
echo "8 directories of $files files, $rounds rounds in turn, both mounted throughout; min / median / max"
for step in create find remove; do
  printf '%-7s ext4 %s s, fuse2fs %s s, fuse2fs/ext4 %s\n' "$step" "$(spread <"$work/ext4.$step")" \
    "$(spread <"$work/fuse2fs.$step")" \
    "$(paste "$work/fuse2fs.$step" "$work/ext4.$step" | awk '{ printf "%.2f\n", $1 / $2 }' | spread)"
done
