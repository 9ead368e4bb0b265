#!/usr/bin/env bash
# Games of examples/ as strangers write them, one thread each; Connect Four beside another solver
# on the same machine, in turn:
#
#   bench/strangers.sh OTHER [RUNS] > docs/data/strangers.csv
#
# OTHER-5x5, OTHER-6x5 and OTHER-7x5 are the program c4solver of github.com/PascalPons/connect4,
# built with the columns and rows in the name (WIDTH and HEIGHT in Position.hpp). Prints the median
# of RUNS (3): processor seconds, user and system, and the peak resident bytes. Then come
# jobs of this program alone, dobutsu shogi once.
set -euo pipefail
other=$(realpath "$(dirname "$1")")/$(basename "$1")
runs=${2:-3}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for game in connectfour teeko dobutsu; do (cd "$root/examples/$game" && GOWORK=off go build -o "$work/$game" .); done
(cd "$root" && go build -o "$work/solve" ./cmd/solve)

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
# alone JOB GAME RUNS PROGRAM [FLAG...] measures a job without another program.
alone() {
  local name=$1-$2 runs=$3
  for ((i = 0; i < runs; i++)); do measure "$name" "./$4" "$1" "$2" --threads 1 --json "${@:5}"; done
  echo "$1,${2#connect4-},$(field "$name" value),$(field "$name" nodes),$(field "$name" positions),$(median "$name" 1),$(median "$name" 2),,,$runs,${of#*,}"
}
alone strong connect4-5x5 "$runs" connectfour
alone strong connect4-6x4 "$runs" connectfour
alone search mnk-5x5k4 "$runs" solve --without openings --without ask
alone strong teeko-standard "$runs" teeko
alone strong dobutsu-standard 1 dobutsu
