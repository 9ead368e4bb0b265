#!/usr/bin/env bash
# Connect Four of examples/connectfour beside another solver on the same machine, in turn, one
# thread each:
#
#   bench/connectfour.sh OTHER [RUNS] > docs/data/connectfour.csv
#
# OTHER-5x5, OTHER-6x5 and OTHER-7x5 are the program c4solver of github.com/PascalPons/connect4,
# built with the columns and rows in the name (WIDTH and HEIGHT in Position.hpp). Prints the median
# of RUNS (3): processor seconds, user and system, and the peak resident bytes. The last row is a
# complete solution by this program alone.
set -euo pipefail
other=$(realpath "$(dirname "$1")")/$(basename "$1")
runs=${2:-3}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root/examples/connectfour" && GOWORK=off go build -o "$work/connectfour" .)

# median NAME COLUMN of what measure has kept.
median() { sort -n -t, -k"$2" "$work/$1" | sed -n "$(((runs + 1) / 2))p" | cut -d, -f"$2"; }
measure() { # NAME COMMAND...
  local name=$1
  shift
  (cd "$work" && echo | /usr/bin/time -q -f '%U,%S,%M' -o time "$@" >"$name.out" 2>/dev/null)
  awk -F, '{printf "%.2f,%d\n", $1 + $2, $3 * 1024}' "$work/time" >>"$work/$name"
}
field() { sed -n 's/.*"'"$2"'":"\{0,1\}\([^",}]*\).*/\1/p' "$work/$1.out" | sed -n 1p; } # NAME KEY

machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed -n 1p), $(nproc) threads"
of="$runs,\"$machine\",$(git -C "$root" describe --always --dirty),$(date -u +%F)"
echo "job,board,value,nodes,positions,processor_seconds,peak_bytes,other_processor_seconds,other_peak_bytes,runs,machine,commit,date"
for board in 5x5 6x5 7x5; do
  for ((i = 0; i < runs; i++)); do
    measure "other-$board" "$other-$board"
    measure "ours-$board" ./connectfour search "connect4-$board" --threads 1 --without openings --without ask --json
  done
  # Both say that it is a draw: 0 points.
  [ "$(field "ours-$board" value)" = draw ] && grep -q ' 0$' "$work/other-$board.out" || { echo "$board: the answers differ" >&2; exit 1; }
  echo "search,$board,draw,$(field "ours-$board" nodes),,$(median "ours-$board" 1),$(median "ours-$board" 2),$(median "other-$board" 1),$(median "other-$board" 2),$of"
done
for board in 5x5 6x4; do
  for ((i = 0; i < runs; i++)); do measure "strong-$board" ./connectfour strong "connect4-$board" --threads 1 --json; done
  echo "strong,$board,$(field "strong-$board" value),,$(field "strong-$board" positions),$(median "strong-$board" 1),$(median "strong-$board" 2),,,$of"
done
