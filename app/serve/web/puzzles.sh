#!/bin/sh
# Makes puzzles.jsonl anew: positions in which one move alone wins, proved by the solver.
set -eu
cd "$(dirname "$0")"
solve() { go run ../../../cmd/solve puzzles "$@" --games 100 --json; }
{
	solve halma-star37-2p --rules house
	solve halma-5x5p3 --rules sturtevant
	solve mnk-4x4k3 mnk-4x4k4
} >puzzles.jsonl.new
mv puzzles.jsonl.new puzzles.jsonl
