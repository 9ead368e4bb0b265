#!/usr/bin/env bash
# Where a solve waits: profiles of a search and of a complete solution with 1, 2 and 4 threads,
# as rows for docs/speed.md:
#
#   bench/waits.sh | tee docs/data/waits.csv
#
# mutex_ms is the time that all threads together waited for locks of package sync. table and bucket
# are the shares of the workers' wall time in the transposition table and in taking the lock of a
# bucket; idle is the share of all threads' wall time in which they do not work.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/solve" ./cmd/solve
# part FOCUS FILE: milliseconds of stacks with FOCUS, without waiting for workers to end
part() {
  go tool pprof -top -nodefraction=0 -unit=ms -focus="$1" -ignore='WaitGroup..Wait' "$2" 2>/dev/null |
    sed -n 's/^Showing nodes accounting for \([0-9.]*\)ms.*/\1/p' | grep . || echo 0
}
asleep() { # FOCUS FILE: of these, asleep
  go tool pprof -top -nodefraction=0 -unit=ms -focus="$1" -ignore='WaitGroup..Wait' "$2" 2>/dev/null |
    awk '$NF == "runtime.gopark" { s += $1 } END { print s + 0 }'
}
lasted() { # FILE: seconds
  go tool pprof -top -unit=ms "$1" 2>/dev/null | sed -n 's/^Duration: \([0-9.]*\)\(m\{0,1\}s\),.*/\1 \2/p' |
    awk '{ print $2 == "ms" ? $1 / 1000 : $1 }'
}
percent() { awk "BEGIN { printf \"%.1f\", 100 * ($1) }"; }
machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed -n 1p), $(nproc) threads"
commit=$(git describe --always --dirty)
echo job,threads,mutex_ms,table_percent,bucket_percent,idle_percent,machine,commit,date
job() {
  local name=$1 workers=$2 threads dir
  shift 2
  for threads in 1 2 4; do
    dir=$work/$name-$threads
    "$work/solve" "$@" --threads $threads --profile mutex --profile-dir "$dir" >/dev/null
    "$work/solve" "$@" --threads $threads --profile clock --profile-dir "$dir" >/dev/null
    clock=$dir/clock.pprof
    all=$(part "$workers" "$clock")
    idle=$(percent "1 - ($all - $(asleep "$workers" "$clock")) / (1000 * $threads * $(lasted "$clock"))")
    echo "$name,$threads,$(part . "$dir/mutex.pprof"),$(percent "$(part 'internal/table\.' "$clock") / $all"),$(percent "$(part 'internal/table\.lock' "$clock") / $all"),$idle,\"$machine\",$commit,$(date -u +%F)"
  done
}
job search 'solve\.\(\*worker\)' search halma-star37-2p --rules house --limit 24 --without ask --without openings --mem 1GiB
job strong 'strong\.\(\*' strong halma-9x9p2 --rules sturtevant
