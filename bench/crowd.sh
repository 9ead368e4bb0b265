#!/usr/bin/env bash
# Answer times for two hundred clients of one address, with and without a thousand idle
# connections, as comma-separated values:
#
#   bench/crowd.sh [SECONDS [CROWD...]] > docs/data/crowd.csv    # of each (30); kept, fresh, pausing, and with " beside idle"
#
# Clients and server are one process. processor is its processor seconds, foreign the share of a
# processor that other processes used meanwhile: times are valid only if that is near 0.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test -c -o "$work" ./play/serve
python3 - "$work" "$(git describe --always --dirty)" "$@" <<'P'
import csv, datetime, os, re, resource, subprocess, sys, time

work, commit, seconds, only = sys.argv[1], sys.argv[2], (sys.argv[3:] or ["30"])[0], sys.argv[4:] or [a + b for a in ("kept", "fresh", "pausing") for b in ("", " beside idle")]

def busy():
    user, nice, system, _, _, irq, soft, steal = map(int, open("/proc/stat").readline().split()[1:9])
    return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK")

def milliseconds(text):
    return sum(float(n) * {"h": 3.6e6, "m": 6e4, "s": 1e3, "ms": 1, "µs": 1e-3, "ns": 1e-6}[unit] for n, unit in re.findall(r"([\d.]+)(ms|µs|ns|h|m|s)", text))

machine = re.search(r"^model name.*: (.*)", open("/proc/cpuinfo").read(), re.M)[1] + f", {os.cpu_count()} threads"
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow("crowd,seconds,answers,refused,a_second,median_ms,of_100_99_ms,most_ms,processor,foreign,machine,commit,date".split(","))
for crowd in only:
    before, cpu, begin = busy(), resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([f"{work}/serve.test", "-test.v", "-crowd", seconds + "s", "-test.run", f"Crowd/^{crowd.replace(' ', '_')}$"],
                          cwd="play/serve", capture_output=True, text=True)
    wall, after, all = time.monotonic() - begin, busy(), resource.getrusage(resource.RUSAGE_CHILDREN)
    said = re.search(r"(\d+) answers and (\d+) times 503 in .*, (\d+)/s; median (\S+), 99 of 100 (\S+), most (\S+)", done.stdout)
    if done.returncode or not said:
        sys.exit(done.stdout + done.stderr)
    own = all.ru_utime + all.ru_stime - cpu.ru_utime - cpu.ru_stime
    out.writerow([crowd, seconds, *said.groups()[:3], *(f"{milliseconds(t):.2f}" for t in said.groups()[3:]), f"{own:.1f}", f"{max(0, after - before - own) / wall:.2f}",
                  machine, commit, datetime.date.today().isoformat()])
    sys.stdout.flush()
P
