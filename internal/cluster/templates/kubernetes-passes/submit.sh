#!/bin/sh
# {{.Line}}
# pass by pass, each an Indexed Job of {{.Tasks}} pods, then one pod that checks it.
# Run it again after a failure: passes that are finished do nothing.
set -eu
cd "$(dirname "$0")"
{{template "run"}}
pass=${1:-0}
while :; do
  run pass.yaml "{{.Name}}-pass-$pass"
  run finish.yaml "{{.Name}}-finish-$pass"
  if kubectl logs "job/{{.Name}}-finish-$pass" | grep -q '"last":true'; then
    break
  fi
  pass=$((pass + 1))
done
run table.yaml {{.Name}}-table
kubectl logs job/{{.Name}}-table
