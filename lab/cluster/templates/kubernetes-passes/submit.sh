#!/bin/sh
# {{.Line}}
# pass by pass, each an Indexed Job of {{.Tasks}} pods, then one pod that checks it and
# does the passes that follow as long as they are short.
# Run it again after a failure: passes that are finished do nothing.
set -eu
cd "$(dirname "$0")"
{{template "run"}}
pass=0
while :; do
  run pass.yaml "{{.Key}}-pass-$pass"
  run finish.yaml "{{.Key}}-finish-$pass"
  ended=$(kubectl logs "job/{{.Key}}-finish-$pass" | tail -n 1)
  case $ended in
    *'"last":true'*) break ;;
  esac
  pass=$(($(echo "$ended" | sed 's/.*"pass":\([0-9]*\).*/\1/') + 1))
done
run table.yaml {{.Key}}-table
kubectl logs job/{{.Key}}-table
