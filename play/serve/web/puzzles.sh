#!/bin/sh
# Makes puzzles.jsonl anew: positions in which one move alone wins, proved by the solver.
set -eu
cd "$(dirname "$0")"
find() { go run ../../../cmd/lab puzzles "$@" --games 100 --json; }
{
	find halma-star37-2p --rules house
	find halma-5x5p3 --rules sturtevant
	find mnk-4x4k3 mnk-4x4k4
} >puzzles.jsonl.new
mv puzzles.jsonl.new puzzles.jsonl
