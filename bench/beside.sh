#!/usr/bin/env bash
# Complete solutions of this program beside those of another on the same machine, in turn,
# one thread each:
#
#   bench/beside.sh SOLVER [RUNS] > docs/data/beside.csv
#
# SOLVER is the program chinesecheckers/src/solver of github.com/jh85/smallgames (the
# reference [3] of docs/references.md), built as its README says. Prints the median of
# RUNS (3) of each: processor seconds, user and system, and the peak resident bytes.
set -euo pipefail
other=$(realpath "$1")
runs=${2:-3}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && go build -o "$work/solve" ./cmd/solve)

# median NAME COLUMN of what measure has kept.
median() { sort -n -t, -k"$2" "$work/$1" | sed -n "$(((runs + 1) / 2))p" | cut -d, -f"$2"; }
measure() { # NAME COMMAND...
  local name=$1
  shift
  # The other program fails where its counts are not those of a printed table.
  (cd "$work" && /usr/bin/time -q -f '%U,%S,%M' -o time "$@" >"$name.out") || [ "${name%%-*}" = other ]
  awk -F, '{printf "%.2f,%d\n", $1 + $2, $3 * 1024}' "$work/time" >>"$work/$name"
}

machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed -n 1p), $(nproc) threads"
commit=$(git -C "$root" describe --always --dirty)
echo "board,processor_seconds,peak_bytes,other_processor_seconds,other_peak_bytes,runs,machine,commit,date"
for board in 7x7p3 5x5p4 4x4p6; do
  for ((i = 0; i < runs; i++)); do
    rm -rf "$work/run"
    measure "other-$board" "$other" --m "${board%%x*}" --p "${board##*p}" --threads 1 --dir run --ckpt-mins 0
    measure "ours-$board" ./solve strong "halma-$board" --rules sturtevant --threads 1 --json
  done
  # Both count the same wins.
  wins=$(sed -n 's/^wins //p' "$work/run/meta.txt")
  grep -q "\"published_wins\":$wins[,}]" "$work/ours-$board.out" || { echo "$board: other counts than $wins wins" >&2; exit 1; }
  echo "$board,$(median "ours-$board" 1),$(median "ours-$board" 2),$(median "other-$board" 1),$(median "other-$board" 2),$runs,\"$machine\",$commit,$(date -u +%F)"
done
