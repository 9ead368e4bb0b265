{{define "run"}}run() { # FILE JOB: starts a job unless it exists, and waits until it ends
  case $(kubectl get "job/$2" --ignore-not-found -o 'jsonpath={.status.conditions[*].type}') in
    *Complete*) return ;;
    *Failed*) kubectl delete "job/$2" ;; # of this job alone: its name has the digest of the command
  esac
  sed "s/-PASS\$/-${pass:-}/; s/\"--pass\", \"PASS\"/\"--pass\", \"${pass:-}\"/" "$1" | kubectl apply -f -
  while :; do
    state=$(kubectl get "job/$2" -o 'jsonpath={.status.conditions[*].type}')
    case $state in
      *Complete*) return ;;
      *Failed*) echo "job $2 failed: kubectl describe job/$2; kubectl logs job/$2" >&2; exit 1 ;;
    esac
    sleep 5
  done
}{{end}}
