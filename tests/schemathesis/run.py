"""Runs Schemathesis with all checks against a server of its own: see scripts/schemathesis."""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
SECRET = "the secret of schemathesis"
# Sequences of calls run on their own and for a time, in seconds: what a server answers depends on what it was asked before, for
# which Hypothesis ends a suite, and only with a limit of time another one begins, with the next seed.
SHORT = {"operations": ["--phases", "examples,coverage"], "sequences": ["--phases", "stateful", "--max-time", "45"]}
LONG = {
    "operations": ["--phases", "examples,coverage,fuzzing", "--max-time", "1500"],
    "sequences": ["--phases", "stateful", "--max-time", "300"],
}


# A sample takes each operation on one day of seven.
DAYS = 7


def today():
    """The number of today, which is the seed of a sample: the same cases for everybody all day, others tomorrow."""
    return datetime.datetime.now(datetime.timezone.utc).date().toordinal()


def sample(document, seed):
    """The ids of the operations whose day it is. An operation keeps its day when others are added."""
    ids = sorted(one["operationId"] for item in document["paths"].values() for one in item.values())
    day = lambda name: int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") % DAYS
    chosen = [name for name in ids if day(name) == seed % DAYS]
    print(f"sample of the seed {seed}: {len(chosen)} of {len(ids)} operations; --sample --seed {seed} repeats it", flush=True)
    return chosen


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """The platform on a fresh SQLite database with demonstration data, on the loopback alone."""

    def __init__(self, binary, folder):
        self.url = f"http://127.0.0.1:{free_port()}"
        self.log = pathlib.Path(folder, "server.log")
        listen = self.url.removeprefix("http://")
        command = [binary, "serve", "--demo-data", "--demo-members", "10", "--listen", listen, "--log", "error"]
        command += ["--admin-listen", f"127.0.0.1:{free_port()}", "--database", f"sqlite://{folder}/pavise.db", "--grace", "1"]
        with self.log.open("w") as said:
            environment = {**os.environ, "PAVISE_MESH_SECRET": SECRET}
            self.process = subprocess.Popen(command, stderr=said, stdout=said, env=environment)

    def wait(self, patience=180):
        """Waits for the last of the demonstration's sign-ins; answers all of them by realm."""
        until = time.monotonic() + patience
        while not re.search(r"demo-machine\s+\S+", self.log.read_text()):
            if self.process.poll() is not None or time.monotonic() > until:
                sys.exit(f"the server does not start:\n{self.log.read_text()}")
            time.sleep(0.1)
        found = dict(re.findall(r"(\w+)@demo\.pavise\.example\s+(\S+-\S+-\S+-\S+)", self.log.read_text()))
        realms = {"staff": "Internal", "member": "User"}
        return {
            realms[name]: {"email": f"{name}@demo.pavise.example", "password": password}
            for name, password in found.items()
            if name in realms
        }

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def check_document(document):
    """The document is one, by the meta-schema of OpenAPI 3.1."""
    from openapi_spec_validator import OpenAPIV31SpecValidator

    problems = [str(problem) for problem in OpenAPIV31SpecValidator(document).iter_errors()]
    operations = sum(len(item) for item in document["paths"].values())
    print(f"openapi.json: {operations} operations, {len(problems)} problems by the meta-schema of OpenAPI 3.1", flush=True)
    if problems:
        sys.exit("\n".join(problems[:20]))


def read_document(arguments, url):
    """The document to hold the server to: its own, or the one that was asked for."""
    if arguments.document:
        return json.loads(pathlib.Path(arguments.document).read_text())
    with urllib.request.urlopen(f"{url}/openapi.json", timeout=60) as answer:
        return json.load(answer)


def machine_token(binary):
    """A token that may do everything."""
    environment = {**os.environ, "PAVISE_MESH_SECRET": SECRET}
    command = [binary, "token", "issue", "--minutes", "120"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def run(arguments, options, sampled):
    """Runs Schemathesis with these options, on a sample of the operations where that is asked for; its exit code."""
    folder = tempfile.mkdtemp(prefix="pavise-schemathesis-")
    server = Server(arguments.binary, folder)
    try:
        sign_ins = server.wait()
        document = read_document(arguments, server.url)
        check_document(document)
        file = pathlib.Path(folder, "openapi.json")
        file.write_text(json.dumps(document))
        if sampled:
            options = [*options, *(f"--include-operation-id={name}" for name in sample(document, arguments.seed))]
        environment = {
            **os.environ,
            "PAVISE": server.url,
            "PAVISE_SIGN_INS": json.dumps(sign_ins),
            "PAVISE_SEED": str(arguments.seed),
            "PAVISE_MACHINE_TOKEN": machine_token(arguments.binary),
            "SCHEMATHESIS_HOOKS": "hooks",
            "PYTHONPATH": str(HERE),
        }
        command = [pathlib.Path(sys.executable).with_name("schemathesis")]
        settings = HERE / ("long.toml" if arguments.long else "short.toml")
        command += ["--config-file", settings, "run", file, "--url", server.url, "--seed", str(arguments.seed), *options]
        # The short form takes seven minutes where nothing else runs, and several times as long beside other tests.
        most = 3600 if arguments.long else 2400
        try:
            return subprocess.run(command, env=environment, cwd=folder, check=False, timeout=most).returncode
        except subprocess.TimeoutExpired:
            print(f"not done after {most} s: choose operations with --include-tag or --include-path-regex", file=sys.stderr)
            return 1
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--long", action="store_true", help="more cases, and sequences of calls, for an hour at most")
    parser.add_argument("--sample", action="store_true", help="only the operations whose day of seven it is")
    parser.add_argument("--seed", type=int, help="the default is 1; with --sample, the number of today")
    parser.add_argument("--document", help="this file instead of the server's own document")
    parser.add_argument("--report", help="a folder for the machine-readable report")
    arguments, further = parser.parse_known_args()
    if arguments.seed is None:
        arguments.seed = today() if arguments.sample else 1
    # Whoever ends this also ends the server.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    parts = {"chosen": []} if "--phases" in further else LONG if arguments.long else SHORT
    # What is chosen may have no links, without which sequences are an error: --phases stateful asks for them all the same.
    if any(one.startswith("--include") for one in further):
        parts = {name: options for name, options in parts.items() if name != "sequences"}
    results = []
    # Each on a server of its own: what the first leaves behind are passwords that were changed, and waits for whoever signs in.
    for name, options in parts.items():
        if arguments.report:
            options = [*options, "--report", "json,ndjson", "--report-dir", pathlib.Path(arguments.report, name)]
        results.append(run(arguments, [*options, *further], arguments.sample and name == "operations"))
    return max(results)


if __name__ == "__main__":
    sys.exit(main())
