"""A PostgreSQL of its own in a temporary folder."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 60


def find_programs():
    """The folder of the server's programs: PAVISE_POSTGRES_BIN, or else the newest version below the usual place."""
    if "PAVISE_POSTGRES_BIN" in os.environ:
        return Path(os.environ["PAVISE_POSTGRES_BIN"])
    versions = [version for version in Path("/usr/lib/postgresql").glob("*/bin") if version.parent.name.isdigit()]
    if not versions:
        sys.exit("no PostgreSQL in /usr/lib/postgresql: install it, or name its programs' folder in PAVISE_POSTGRES_BIN")
    return max(versions, key=lambda version: int(version.parent.name))


class Postgres:
    """A running server; `url` is an empty database."""

    def __init__(self):
        self.programs, self.folder = find_programs(), tempfile.mkdtemp(prefix="pavise-postgres-")
        self.user = {}
        if os.geteuid() == 0:
            # PostgreSQL refuses root.
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        data = f"{self.folder}/data"
        made = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "-D", data]
        subprocess.run(self.command("initdb", *made), check=True, capture_output=True, cwd=self.folder, **self.user)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = str(listener.getsockname()[1])
        with open(f"{self.folder}/log", "w", encoding="utf-8") as log:
            served = ["-D", data, "-p", port, "-k", self.folder, "-c", "listen_addresses=127.0.0.1"]
            self.process = subprocess.Popen(
                self.command("postgres", *served), stdout=log, stderr=log, cwd=self.folder, **self.user
            )
        until = time.monotonic() + PATIENCE
        ready = self.command("pg_isready", "-q", "-h", "127.0.0.1", "-p", port)
        while subprocess.run(ready, cwd=self.folder, check=False).returncode:
            if self.process.poll() is not None or time.monotonic() > until:
                sys.exit(f"PostgreSQL does not start: {Path(self.folder, 'log').read_text(encoding='utf-8')}")
            time.sleep(0.02)
        self.url = f"postgres://postgres@127.0.0.1:{port}/postgres"

    def ask(self, sql):
        """What a statement answers, without decoration."""
        command = self.command("psql", "--no-psqlrc", "-Atqc", sql, self.url)
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=self.folder, **self.user).stdout.strip()

    def command(self, program, *arguments):
        return [str(self.programs / program), *arguments]

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)
