#!/usr/bin/env bash
# How threads speed up long jobs: each job with one thread, with two and with the default, in turn.
# Prints medians as comma-separated values:
#
#   bench/parallel.sh [RUNS [JOB...]] > docs/data/parallel.csv    # RUNS of each (3); names of jobs
#
# A job that ends by itself is measured by its wall time, one with --time or a hint by the nodes that
# it visits in a second; faster_2 and faster_default are the speedups against one thread. foreign is
# the largest share of a processor that other processes used: times are valid only if that is near 0.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work" ./cmd/solve ./cmd/lab
"$work/solve" strong halma-6x6p3 --rules sturtevant --table "$work/6x6p3.table" >/dev/null 2>&1
python3 - "$work" "$(git describe --always --dirty)" "$@" <<'P'
import csv, datetime, json, os, re, resource, statistics, subprocess, sys, time

work, commit, runs, only = sys.argv[1], sys.argv[2], int((sys.argv[3:] or ["3"])[0]), sys.argv[4:]
table = f"{work}/6x6p3.table"
hint = lambda game: f"solve engine <<<$'new {game}\\nhint 3s\\nnote\\nquit'"
jobs = {
    "search": "solve search halma-star37-2p --rules house --without ask",
    "search without end": "solve search halma-star73-2p --rules base --time 3s",
    "search, three seats": "solve search halma-star37-3p --rules house --time 3s",
    "search, m,n,k": "solve search mnk-8x8k5 --time 3s",
    "analyse": "solve analyse halma-star73-2p --rules base --time 3s --json",
    "analyse, m,n,k": "solve analyse mnk-8x8k5 --time 3s --json",
    "hint": hint("halma-star73-2p base"),
    "hint, three seats": hint("halma-star37-3p house"),
    "hint, m,n,k": hint("mnk-8x8k5"),
    "strong, two armies": "solve strong halma-6x6p3 --rules sturtevant",
    "strong, four armies": "solve strong halma-star37p1-4p --rules house",
    "strong, any game by numbers": "solve strong mnk-4x4k4",
    "verify": f"solve verify {table} --sample 5e4",
    "export": f"solve export {table} --sample 2e5 --csv -o {work}/export.csv --force",
    "domino census": f"solve domino census --part 7/1200 --parts {work}/census --force",
    "domino hidden": "solve domino hidden double-4 4 --iterations 40",
    "mnk solve": "solve mnk solve 8 4 4",
    "perft": "lab perft halma-star73-2p --depth 7",
    "match": "solve match mnk-9x9k5 strongest level-8 --time 50ms --pairs 2",
}

def busy():
    user, nice, system, _, _, irq, soft, steal = map(int, open("/proc/stat").readline().split()[1:9])
    return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK")

def run(command):
    subprocess.run(["rm", "-rf", f"{work}/census"])
    before, cpu, begin = busy(), resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command, _, text = " ".join(command).partition(" <<<$'")
    text, _, flags = text.replace("\\n", "\n").partition("'")
    command = (command + flags).split()
    done = subprocess.run([f"{work}/{command[0]}"] + command[1:], input=text + "\n", capture_output=True, text=True)
    wall, after, all = time.monotonic() - begin, busy(), resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}: {done.stderr.strip()}")
    cpu = all.ru_utime + all.ru_stime - cpu.ru_utime - cpu.ru_stime
    nodes = 0
    if text:
        nodes = int(re.search(r"([\d,]+) positions", done.stdout)[1].replace(",", ""))
    elif "--time" in command and command[1] != "match":
        if "--json" in command:
            nodes = json.loads(done.stdout.splitlines()[-1]).get("nodes", 0)
        else:
            nodes = int(re.search(r"^nodes +([\d,]+)", done.stdout, re.M)[1].replace(",", ""))
    return wall, cpu, nodes, max(0, after - before - cpu) / wall

machine = re.search(r"^model name.*: (.*)", open("/proc/cpuinfo").read(), re.M)[1] + f", {os.cpu_count()} threads"
out = csv.writer(sys.stdout, lineterminator="\n")
threads = {"1": ["--threads", "1"], "2": ["--threads", "2"], "default": []}
out.writerow(["job", "command", "runs", "faster_2", "faster_default"] + [f"{what}_{t}" for what in ("wall", "processor", "nodes") for t in threads] +
             ["foreign", "machine", "commit", "date"])
for name, command in jobs.items():
    if only and name not in only:
        continue
    kept = {t: [] for t in threads}
    for _ in range(runs):
        for t, flags in threads.items():
            if "match" not in command or t == "default" or "--threads" in subprocess.run([f"{work}/solve", "match", "--help"], capture_output=True, text=True).stdout:
                kept[t].append(run(command.split() + flags))
    middle = lambda t, i: statistics.median(r[i] for r in kept[t]) if kept[t] else 0
    speed = lambda t: middle(t, 2) / middle(t, 0) if middle("1", 2) else 1 / middle(t, 0) if kept[t] else 0
    faster = [f"{speed(t) / speed('1'):.2f}" if kept["1"] else "" for t in ("2", "default")]
    shown = command.replace(work, "DIR")
    out.writerow([name, shown, runs, *faster] + [f"{middle(t, 0):.2f}" for t in threads] + [f"{middle(t, 1):.2f}" for t in threads] +
                 [f"{middle(t, 2):.0f}" for t in threads] + [f"{max(r[3] for k in kept.values() for r in k):.2f}", machine, commit, datetime.date.today().isoformat()])
    sys.stdout.flush()
P
