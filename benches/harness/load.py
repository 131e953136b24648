"""Load generators: each answers {"per_second", "p50_us"} or refuses to answer at all."""

import json
import os
import re

from . import machine

UNITS = {"us": 1.0, "ms": 1e3, "s": 1e6}


def lua(folder, token, body=None):
    """A script for wrk: the same request again and again."""
    path = os.path.join(folder, "post.lua" if body else "get.lua")
    with open(path, "w") as script:
        script.write(f'wrk.headers["authorization"] = "Bearer {token}"\n')
        if body:
            script.write('wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\n')
            script.write(f"wrk.body = {json.dumps(body, ensure_ascii=False)}\n")
    return path


def micros(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * UNITS[unit]


def wrk(url, script, seconds, connections=64):
    """REST over HTTP/1.1."""
    threads = min(2, connections)
    command = ["wrk", "-t", str(threads), "-c", str(connections), "-d", f"{seconds}s", "--latency", "-s", script, url]
    printed = machine.run(command)
    if "nan" in printed:
        # Nothing was answered at all: the disk stood still for that long, as it does when much was written before.
        machine.say("No answer; once more")
        printed = machine.run(command)
    if "Non-2xx" in printed or "Socket errors" in printed or "nan" in printed:
        raise SystemExit(f"{url}: {printed}")
    return {
        "per_second": float(re.search(r"Requests/sec:\s+([\d.]+)", printed)[1]),
        "p50_us": micros(re.search(r"^ +50% +(\S+)$", printed, re.MULTILINE)[1]),
    }


def h2load(url, message, token, seconds, connections=16, streams=4):
    """gRPC: one message, again and again."""
    command = ["h2load", "-t", "2", "-c", str(connections), "-m", str(streams), "-D", str(max(1, round(seconds)))]
    command += ["-d", message, "-H", "content-type: application/grpc", "-H", "te: trailers"]
    if token:
        command += ["-H", f"authorization: Bearer {token}"]
    printed = machine.run(command + [url], quiet=True)
    good, bad = re.search(r"status codes: (\d+) 2xx, (.*)", printed).groups()
    failed = int(re.search(r"(\d+) errored", printed)[1])
    if failed or not int(good) or any(int(number) for number in re.findall(r"(\d+) [345]xx", bad)):
        raise SystemExit(f"{url}: {printed}")
    return {"per_second": float(re.search(r"([\d.]+) req/s", printed)[1])}


def pgbench(folder, url, seconds, callers, kind):
    """`-N` writes a row and a history entry in a transaction each, `-S` reads a row by its key."""
    command = [os.path.join(folder, "pgbench"), f"-{kind}", "-n", "-M", "prepared", "-c", str(callers), "-j", "2"]
    printed = machine.run(command + ["-T", str(max(1, round(seconds))), url], quiet=True)
    return {"per_second": float(re.search(r"tps = ([\d.]+)", printed)[1])}


def own(binary, *arguments):
    """A loop of ours."""
    return json.loads(machine.run([binary, *arguments], quiet=True))
