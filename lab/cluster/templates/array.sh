{{define "array"}}# The scheduler refuses arrays whose last index is not below its limit.
most=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *\([0-9]*\).*/\1/p')
if [ "${most:-1000000}" -le {{.Tasks}} ]; then
  echo "arrays of this cluster end at $((most - 1)): write the job with --tasks $((most - 1)) or fewer" >&2
  exit 1
fi{{end}}
