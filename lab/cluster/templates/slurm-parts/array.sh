#!/bin/bash
#SBATCH --job-name={{.Name}}
#SBATCH --array=1-{{.Tasks}}{{with .AtOnce}}%{{.}}{{end}}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.Threads}}
#SBATCH --mem={{.MiB}}M
#SBATCH --time={{.Minutes}}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=log/array-%a.log
# Shortly before --time is up the task gets this signal, saves its work, and is
# queued again, unless it has found nothing new since it was started: then --time is too
# short for one of its tasks.
#SBATCH --signal=B:USR1@60

cd "${SLURM_SUBMIT_DIR:-.}" || exit 1
found() { # what the file of this part holds
  cat parts/*."$(printf %0*d ${#count} "$SLURM_ARRAY_TASK_ID")"-of-"$count".part 2>/dev/null | cksum
}
count={{.Tasks}}
before=$(found)
echo "part $SLURM_ARRAY_TASK_ID of {{.Tasks}} on $(hostname), $(date -u)"
"${SOLVE:-solve}" {{shell .Command}} \
  --part auto/{{.Tasks}} --parts parts --threads {{.Threads}}{{if .Mem}} --mem {{.JobMiB}}MiB{{end}} --progress off &
again=
trap 'again=yes; kill -TERM $!' USR1
trap 'kill -TERM $!' TERM
wait $!
code=$?
while [ $code -gt 128 ] && kill -0 $! 2>/dev/null; do # a trap ended the wait
  wait $!
  code=$?
done
if [ -n "$again" ] && [ $code -ne 0 ] && [ "$(found)" = "$before" ]; then
  echo "nothing new was found in {{.Minutes}} minutes: write the job with a longer --time" >&2
elif [ -n "$again" ] && [ $code -ne 0 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit $code
