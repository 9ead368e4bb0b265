#!/usr/bin/env bash
# Prints the figures of a tree's structure, to compare two of them:
#
#   bench/house.sh [TREE]           # this tree, or another checkout
#   bench/house.sh --imports TREE   # the imports between folders, one a line
#   bench/house.sh --dead TREE      # what deadcode lists
#
# Lines are those of Go and assembly outside tests and testdata, comments
# included. Exported names are functions, types, methods, constants and variables.
set -euo pipefail

sources() { find "$1" \( -name '*.go' -o -name '*.s' \) ! -name '*_test.go' ! -path '*/testdata/*'; }
lines() { sources "$1" | xargs cat | wc -l; }
exported() {
  go doc -all "./$1" 2>/dev/null | grep -cE '^(func (\([^)]*\) )?[A-Z]|type [A-Z]|(const|var) [A-Z]|	[A-Z][A-Za-z0-9]*($| .*=))' || true
}
imports() {
  go list -f '{{range .Imports}}{{$.ImportPath}} {{.}}{{"\n"}}{{end}}' ./... |
    sed -n 's|^perfectplay/\([^ ]*\) perfectplay/\(.*\)|\1 → \2|p' | sort -u
}
dead() { go tool -modfile=.ci/tools.mod deadcode ./...; }

only=
case "${1:-}" in
  --imports) only=imports; shift ;;
  --dead) only=dead; shift ;;
esac
tools=$(cd "$(dirname "$0")/.." && pwd)
cd "${1:-$tools}"
if [ ! -f .ci/tools.mod ]; then # a tree from before the tools had a module file
  dead() { go tool -modfile="$tools/.ci/tools.mod" deadcode ./...; }
fi
if [ -n "$only" ]; then
  "$only"
  exit
fi
printf '%-44s %s\n' \
  'lines outside tests' "$(lines .)" \
  'lines of tests' "$(find . -name '*_test.go' -exec cat {} + | wc -l)" \
  'packages' "$(go list ./... | wc -l)" \
  'imports between folders' "$(imports | wc -l)" \
  'exported names of bitboard' "$(exported bitboard)" \
  'exported names of rank' "$(exported rank)" \
  'functions that no program reaches' "$(dead | wc -l)"
echo 'lines by folder:'
for dir in bitboard rank internal game/halma game/mnk game/domino solve bench cmd; do
  if [ -d "$dir" ]; then printf '  %-42s %s\n' "$dir" "$(lines "$dir")"; fi
done
