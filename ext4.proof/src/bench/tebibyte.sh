#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A 1 TiB sparse image that the kernel filled with a million files is mounted and walked with a heap of 256 MiB; then the
# time to mount 1 TiB beside that of 1 GiB, in turn.
# usage, as root: tebibyte.sh [FILES [ROUNDS]]    needs e2fsprogs, a file system that holds sparse files of 1 TiB
set -euo pipefail
files=${1:-1000000} rounds=${2:-5}
here=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/ext4-tebibyte.XXXXXX")
mnt=$work/mnt
mkdir "$mnt"
trap 'mountpoint -q "$mnt" && umount -l "$mnt"; rm -rf "$work"' EXIT
export EXT4_JAVA_OPTS=-Xmx256m

now() { date +%s%N; }
make() { truncate -s "$2" "$work/$1"; mke2fs -q -F -t ext4 -E lazy_itable_init=1 "$work/$1"; }
spread() { sort -n | awk '{ v[NR] = $1 } END { printf "%s / %s / %s", v[1], v[int((NR + 1) / 2)], v[NR] }'; }

make large 1T
make small 1G
mount -o loop "$work/large" "$mnt"
python3 - "$mnt" "$files" <<'PY'
import os, sys
root, count = sys.argv[1], int(sys.argv[2])
for i in range(count):
    if i % 1000 == 0:
        directory = os.path.join(root, "d%04d" % (i // 1000))
        os.mkdir(directory)
    os.close(os.open(os.path.join(directory, "f%03d" % (i % 1000)), os.O_CREAT | os.O_WRONLY))
PY
umount "$mnt"

"$here/ext4" mount -o orphan=sharded "$work/large" "$mnt"
begin=$(now)
found=$(find "$mnt" -type f -printf . | wc -c)
echo "walked $found files of a 1 TiB image in $((($(now) - begin) / 1000000)) ms with -Xmx256m"
[ "$found" -eq "$files" ]
"$here/ext4" umount "$mnt"

for ((round = 1; round <= rounds; round++)); do
  for image in small large; do
    begin=$(now)
    "$here/ext4" mount "$work/$image" "$mnt"
    echo $((($(now) - begin) / 1000000)) >>"$work/$image.ms"
    "$here/ext4" umount "$mnt"
  done
done
echo "mount, min / median / max: 1 GiB $(spread <"$work/small.ms") ms, 1 TiB $(spread <"$work/large.ms") ms, ratio" \
  "$(paste "$work/large.ms" "$work/small.ms" | awk '{ printf "%.2f\n", $1 / $2 }' | spread)"
e2fsck -fn "$work/large" >/dev/null && echo "e2fsck -fn: clean"
