{{define "run"}}run() { # FILE JOB: starts a job anew and waits for its end
  sed "s/PASS/${pass:-}/g" "$1" | kubectl delete --ignore-not-found -f -
  sed "s/PASS/${pass:-}/g" "$1" | kubectl apply -f -
  while :; do
    state=$(kubectl get "job/$2" -o 'jsonpath={.status.conditions[*].type}')
    case $state in
      *Complete*) return ;;
      *Failed*) echo "job $2 failed: kubectl describe job/$2; kubectl logs job/$2" >&2; exit 1 ;;
    esac
    sleep 5
  done
}{{end}}
