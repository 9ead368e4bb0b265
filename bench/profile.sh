#!/usr/bin/env bash
# Makes the profile that releases are built by, from searches and solves of a minute in
# all on one thread:
#
#   bench/profile.sh > cmd/solve/release.pgo
#
# Releases name it: go build -pgo=cmd/solve/release.pgo ./cmd/solve. As default.pgo it would make
# every build compile all packages a second time.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -trimpath -pgo=off -o "$work/solve" ./cmd/solve
n=0
job() {
  n=$((n + 1))
  echo "$*" >&2
  "$work/solve" "$@" --threads 1 --profile cpu --profile-dir "$work/$n" >/dev/null
}
search() { job search "$@" --without ask --without openings --mem 1GiB; }
search halma-star37-2p --rules house-code --limit 40
search halma-star73-2p --rules base --limit 26
search halma-star73-2p --rules house-code --limit 21
search halma-star37-3p --rules house --algo maxn --limit 22
search halma-star37-3p --rules house --algo paranoid --limit 21
search halma-star37-6p --rules house --algo maxn --limit 20
job mnk solve mnk-8x4k4
job strong halma-7x7p3 --rules sturtevant
job strong halma-5x5p4 --rules sturtevant
go tool pprof -proto "$work"/*/cpu.pprof
