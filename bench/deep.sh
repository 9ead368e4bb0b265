#!/usr/bin/env bash
# How deep a build of solve proves in a time, as comma-separated values: one row for each
# game, rule set and engine, of the position at the start as a whole.
#
#   bench/deep.sh SOLVE TIME MEMORY [GAME RULES ENGINE]...    # for instance ./solve 120s 4GiB
#
# Without games: 2, 3, 4 and 6 seats on the stars of 37, 73 and 121 holes. Nothing else
# should run meanwhile.
set -euo pipefail
solve=$1 time=$2 memory=$3
shift 3
if [ $# = 0 ]; then
  for holes in 37 73 121; do
    rules=house
    [ $holes = 37 ] && rules=base # house is decided within seconds
    set -- "$@" "halma-star$holes-2p" $rules alphabeta
    for seats in 3 4 6; do
      set -- "$@" "halma-star$holes-${seats}p" house maxn
    done
  done
  set -- "$@" halma-star37-3p base paranoid
fi
alone=()
if [[ $("$solve" search --help) == *--without ask* ]]; then alone=(--without ask); fi # older builds never ask
echo game,rules,algo,time,threads,memory,not_within,value,distance,nodes
while [ $# -gt 0 ]; do
  "$solve" search "$1" --rules "$2" --algo "$3" "${alone[@]}" --without openings --time "$time" --mem "$memory" --threads 2 --json |
    python3 -c '
import json, sys
r = json.loads(sys.stdin.readline())
print(*(r[k] for k in ("game", "rules", "algo")), *sys.argv[1:], r["not_within"], r["value"], r["distance"] or "", r["nodes"], sep=",")' "$time" 2 "$memory"
  shift 3
done
