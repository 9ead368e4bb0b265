#!/usr/bin/env bash
# Compares two threads with one on whole jobs, runs in turn, and prints medians as
# comma-separated values:
#
#   bench/parallel.sh SOLVE [N] > FILE      # a build of solve, N runs of each (5)
#
# speedup is the wall time of one thread to that of two, cpu_ratio and nodes_ratio are
# two to one. Wall time says something only where nothing else runs: busy is the
# processor time of two threads to their wall time, 2 where both worked all the time.
set -euo pipefail
if [ $# -lt 1 ]; then
  echo "usage: bench/parallel.sh SOLVE [N]" >&2
  exit 2
fi
solve=$1 n=${2:-5}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
job() { # name, words: one row
  local name=$1 i t times
  shift
  for ((i = 0; i < n; i++)); do
    for t in 1 2; do
      times=$( { TIMEFORMAT='%R %U %S'; time GOMAXPROCS=$t "$solve" "$@" --threads "$t" --mem 256MiB >"$out" 2>/dev/null; } 2>&1 )
      echo "$t $times $(awk '$1 == "nodes" {gsub(",", "", $2); print $2}' "$out")"
    done
  done | python3 -c '
import statistics, sys
runs = {"1": [], "2": []}
for line in sys.stdin:
    t, wall, user, system, nodes = line.split()
    runs[t].append((float(wall), float(user) + float(system), int(nodes)))
wall, cpu, nodes = ([statistics.median(r[i] for r in runs[t]) for t in "12"] for i in range(3))
busy = statistics.median(r[1] / r[0] for r in runs["2"])
print(f"{sys.argv[1]},{len(runs[t])},{wall[0]:.3f},{wall[1]:.3f},{wall[0]/wall[1]:.3f},{cpu[0]:.3f},{cpu[1]:.3f},{cpu[1]/cpu[0]:.3f},"
      f"{nodes[0]:.0f},{nodes[1]:.0f},{nodes[1]/nodes[0]:.3f},{busy:.2f}")' "$name"
}
echo job,runs,wall_1,wall_2,speedup,cpu_1,cpu_2,cpu_ratio,nodes_1,nodes_2,nodes_ratio,busy
job 'star37 house-code proof' search halma-star37-2p --rules house-code --limit 30 --no-openings --no-ask
job 'star37 3 seats house 21 plies' search halma-star37-3p --rules house --algo paranoid --hero 1 --limit 21 --no-openings --no-ask
job 'star73 base 26 plies' search halma-star73-2p --rules base --limit 26 --no-openings --no-ask
job 'mnk 8;4;4' mnk solve mnk-8x4k4
