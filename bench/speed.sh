#!/usr/bin/env bash
# Runs two builds of solve in turn and prints the median and least CPU seconds (user
# and system) of each job, and the ratio new to old:
#
#   bench/speed.sh OLD NEW N      # two binaries, N runs of each
set -euo pipefail
old=$1 new=$2 n=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cpu() { ( TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>/dev/null ) 2>&1 | awk '{print $1+$2}'; }
job() { # name, words of the old program / words of the new one
  local name=$1; shift
  local -a a=() b=()
  while [ "$1" != / ]; do a+=("$1"); shift; done; shift; b=("$@")
  local x="" y="" i
  for ((i = 0; i < n; i++)); do x+="$(cpu "$old" "${a[@]}") "; y+="$(cpu "$new" "${b[@]}") "; done
  python3 - "$name" "$x" "$y" <<'P'
import sys,statistics as s
n,x,y=sys.argv[1],*[list(map(float,v.split())) for v in sys.argv[2:]]
print(f"{n:34} {s.median(x):8.3f} {s.median(y):8.3f} {s.median(y)/s.median(x):6.3f}   min {min(x):.3f} {min(y):.3f} {min(y)/min(x):6.3f}")
P
}
printf '%-34s %8s %8s %6s\n' "job (CPU seconds, n=$n)" old new ratio
job "search star37 base 22 plies" search halma-star37-2p --limit 22 --threads 1 --mem 256MiB --without openings / search halma-star37-2p --limit 22 --threads 1 --mem 256MiB --without openings
job "search star73 base 23 plies" search halma-star73-2p --limit 23 --threads 1 --mem 256MiB --without openings / search halma-star73-2p --limit 23 --threads 1 --mem 256MiB --without openings
job "search star121 base 30 plies" search halma-star121-2p --limit 30 --threads 1 --mem 256MiB --without openings / search halma-star121-2p --limit 30 --threads 1 --mem 256MiB --without openings
job "search star37 3 seats 16 plies" search halma-star37-3p --limit 16 --rules base --threads 1 --mem 256MiB --without openings / search halma-star37-3p --limit 16 --rules base --threads 1 --mem 256MiB --without openings
job "strong 6x6/3 values" strong halma-6x6p3 --rules sturtevant --threads 1 / strong halma-6x6p3 --rules sturtevant --threads 1
job "strong 5x5/3 distances" strong halma-5x5p3 --rules sturtevant --distances --threads 1 / strong halma-5x5p3 --rules sturtevant --distances --threads 1
job "strong 4x4/6 distances" strong halma-4x4p6 --rules sturtevant --distances --threads 1 / strong halma-4x4p6 --rules sturtevant --distances --threads 1
job "strong star37 base distances" strong halma-star37-2p --rules base --distances --threads 1 / strong halma-star37-2p --rules base --distances --threads 1
job "prove 7,4,4 zones" mnk solve 7 4 4 --algo zones --threads 1 --mem 256MiB / mnk solve 7 4 4 --algo zones --threads 1 --mem 256MiB
job "prove 8,4,4 zones" mnk solve 8 4 4 --algo zones --threads 1 --mem 256MiB / mnk solve 8 4 4 --algo zones --threads 1 --mem 256MiB
job "domino census part 7/600" domino census --part 7/600 --threads 1 --parts "$dir" / domino census --part 7/600 --threads 1 --parts "$dir"
