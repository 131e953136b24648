"""What is compared with what, and what we ask of ourselves."""

import json
import os
import shutil
import statistics
import urllib.request
from dataclasses import dataclass, field
from typing import Callable

from . import load, machine, peers, shelves


# The bytes of the file that is downloaded.
FILE = 8 << 20


@dataclass
class Bar:
    """Ours against a peer; the ratio of `metric` is what the bar speaks of. Without a bar it only tells."""

    name: str
    title: str
    ours: Callable[[], dict]
    peer: Callable[[], dict]
    peer_name: str
    at_least: float | None = None
    at_most: float | None = None
    metric: str = "per_second"
    rounds: list = field(default_factory=list)

    def round(self, number, warned):
        """Runs both, the other one first in every second round."""
        quiet = machine.quiet()
        if number % 2:
            theirs, ours = self.peer(), self.ours()
        else:
            ours, theirs = self.ours(), self.peer()
        self.rounds.append({"ours": ours[self.metric], "peer": theirs[self.metric], "quiet": quiet})
        if not quiet:
            warned.add(self.name)

    def ratios(self):
        return sorted(one["ours"] / one["peer"] for one in self.rounds)

    def result(self):
        ratios = self.ratios()
        ratio = statistics.median(ratios)
        met = None
        if self.at_least is not None:
            met = ratio >= self.at_least
        elif self.at_most is not None:
            met = ratio <= self.at_most
        return {
            "name": self.name,
            "title": self.title,
            "peer": self.peer_name,
            "metric": self.metric,
            "ours": statistics.median(one["ours"] for one in self.rounds),
            "theirs": statistics.median(one["peer"] for one in self.rounds),
            "ratio": ratio,
            "lowest": ratios[0],
            "highest": ratios[-1],
            "at_least": self.at_least,
            "at_most": self.at_most,
            "met": met,
            "rounds": self.rounds,
        }


class Stage:
    """Servers and databases that the bars share; each is started when a bar first needs it."""

    def __init__(self, binary, server, envoy, folder, cache, seconds):
        self.binary, self.server, self.envoy_program = binary, server, envoy
        self.folder, self.cache, self.seconds = folder, cache, seconds
        self.made = {}
        self.payloads = os.path.join(folder, "payloads")
        machine.run([binary, "payloads", "--out", self.payloads])
        with open(os.path.join(self.payloads, "document.json")) as file:
            self.document = file.read()
        self.message = os.path.join(self.payloads, "document.grpc")

    def once(self, name, make):
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def postgres(self):
        return self.once("postgres", lambda: peers.Postgres(self.folder))

    def service(self):
        """Address and token of our service, and the scripts that load it."""

        def make():
            address, token = peers.service(self.binary, self.postgres().fresh(), self.folder)
            return address, token, load.lua(self.folder, token, self.document), load.lua(self.folder, token)

        return self.once("service", make)

    def plain(self):
        return self.once("plain", lambda: peers.plain(self.binary, self.postgres().fresh(), self.folder))

    def in_front(self, which):
        """A peer in front of our service; answers its address once it answers the same as we do."""

        def make():
            address, token, _, _ = self.service()
            if which == "envoy":
                front = peers.envoy(self.envoy_program, self.folder, address, os.path.join(self.payloads, "descriptors.binpb"))
            else:
                front = peers.gateway(self.folder, self.cache, address)
            for path, body in (("/v1/documents/echo", self.document.encode()), ("/v1/badges/gold", None)):
                ours, theirs = peers.ask(address, path, token, body), peers.ask(front, path, token, body)
                if ours != theirs:
                    raise SystemExit(f"{which} answers {path} otherwise:\n{ours}\n{theirs}")
            return front

        return self.once(which, make)

    def etcd(self):
        """Address, script and message for puts of the same size as our documents."""

        def make():
            body, message = peers.etcd_put(self.document.encode())
            file = os.path.join(self.folder, "put.grpc")
            with open(file, "wb") as out:
                out.write(message)
            script = os.path.join(self.folder, "put.lua")
            with open(script, "w") as out:
                out.write(f'wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\nwrk.body = {json.dumps(body)}\n')
            return peers.etcd(self.folder), script, file

        return self.once("etcd", make)

    def files(self):
        """Addresses of one file: as our service answers it, and as tower-http does; and the script that takes it."""

        def make():
            address, token = peers.service(self.binary, f"sqlite://{self.folder}/files.db", self.folder, "files")
            scan = load.own(self.binary, "send", "--to", f"http://{address}", "--token", token, "--size", str(FILE))
            ours, folder = f"http://{address}/v1/scans/{scan['id']}/file", os.path.join(self.folder, "served")
            os.makedirs(folder)
            asked = urllib.request.Request(ours, headers={"authorization": f"Bearer {token}"})
            with urllib.request.urlopen(asked) as answer, open(os.path.join(folder, "file.bin"), "wb") as out:
                shutil.copyfileobj(answer, out)
            theirs = peers.served_folder(self.binary, folder, os.path.join(self.folder, "folder.log"))
            return ours, f"http://{theirs}/file.bin", load.lua(self.folder, token)

        return self.once("served", make)

    def shelves(self, products):
        """The real server with so many products."""
        return self.once(f"shelves{products}", lambda: shelves.Shelves(self.server, self.folder, products))

    def covered(self):
        """The real server with a member of many benefits."""
        return self.once("covered", lambda: shelves.Covered(self.server, self.folder))

    # Single runs.

    def rest(self, address, path, script, connections=64):
        return load.wrk(f"http://{address}{path}", script, max(1, round(self.seconds)), connections)

    def grpc(self, address, rpc, message, token, connections=16, streams=4):
        return load.h2load(f"http://{address}/{rpc}", message, token, self.seconds, connections, streams)

    def write(self, how, callers, engine="postgres", processes=1):
        """Into a fresh database each time, so that no round pays for the one before."""
        if engine == "postgres":
            database = self.postgres().fresh()
        else:
            number = self.made["files"] = self.made.get("files", 0) + 1
            database = f"sqlite://{self.folder}/write{number}.db"
        arguments = ["--how", how, "--callers", str(callers), "--processes", str(processes), "--seconds", str(self.seconds)]
        return load.own(self.binary, "write", "--database", database, *arguments)

    def write_sealed(self, callers, engine, is_sealed):
        """As `write`, with two sealed fields or without."""
        if engine == "postgres":
            database = self.postgres().fresh()
        else:
            number = self.made["files"] = self.made.get("files", 0) + 1
            database = f"sqlite://{self.folder}/write{number}.db"
        arguments = ["--how", "kit", "--callers", str(callers), "--seconds", str(self.seconds)]
        return load.own(self.binary, "write", "--database", database, *arguments, *(["--sealed"] if is_sealed else []))

    def read_sealed(self, callers, is_sealed):
        """Documents that were written with two sealed fields or without."""
        flag = ["--sealed"] if is_sealed else []

        def make():
            database = self.postgres().fresh()
            arguments = ["--how", "kit", "--callers", "64", "--seconds", "3", *flag]
            load.own(self.binary, "write", "--database", database, *arguments)
            return database

        database = self.once(f"written{is_sealed}", make)
        arguments = ["--what", "get", "--callers", str(callers), "--seconds", str(self.seconds), *flag]
        return load.own(self.binary, "read", "--database", database, *arguments)

    def pgbench(self, kind, callers):
        url = self.once("pgbench", lambda: self.postgres().pgbench())
        return load.pgbench(self.postgres().bin, url, self.seconds, callers, kind)

    def read(self, callers):
        def make():
            database = self.postgres().fresh()
            machine.run([self.binary, "fill", "--database", database, "--count", "20000"], quiet=True)
            return database

        database = self.once("filled", make)
        arguments = ["--what", "get", "--callers", str(callers), "--seconds", str(self.seconds)]
        return load.own(self.binary, "read", "--database", database, *arguments)


def bars(stage):
    """All comparisons."""
    echo, badge, make = "/v1/documents/echo", "/v1/badges/gold", "/v1/documents"
    put = "etcdserverpb.KV/Put"
    document_service = "pavise.bench.v1.DocumentService"

    def ours(path, connections=64):
        def measure():
            address, _, post, get = stage.service()
            return stage.rest(address, path, get if path == badge else post, connections)

        return measure

    def front(which, path, connections=64):
        def measure():
            _, _, post, get = stage.service()
            return stage.rest(stage.in_front(which), path, get if path == badge else post, connections)

        return measure

    def by_hand(path):
        def measure():
            _, _, post, get = stage.service()
            return stage.rest(stage.plain()[0], path, get if path == badge else post)

        return measure

    def our_grpc(rpc, connections=16, streams=4):
        def measure():
            address, token, _, _ = stage.service()
            return stage.grpc(address, f"{document_service}/{rpc}", stage.message, token, connections, streams)

        return measure

    def etcd_rest():
        address, script, _ = stage.etcd()
        return stage.rest(address, "/v3/kv/put", script)

    def etcd_grpc():
        address, _, message = stage.etcd()
        return stage.grpc(address, put, message, None, 64, 1)

    def bare_grpc():
        return stage.grpc(stage.plain()[1], f"{document_service}/EchoDocument", stage.message, None)

    def written(how, callers, engine="postgres", processes=1):
        return lambda: stage.write(how, callers, engine, processes)

    def downloaded(which):
        def measure():
            *addresses, script = stage.files()
            return load.wrk(addresses[which], script, max(1, round(stage.seconds)), 4)

        return measure

    def shelf(path, products=1_000):
        return lambda: stage.shelves(products).read(path, max(1, round(stage.seconds)))

    def planned():
        return stage.shelves(1_000).planned(max(1, round(stage.seconds)))

    def eligible():
        return stage.covered().eligible(max(1, round(stage.seconds)))

    def evaluated():
        return load.own(stage.binary, "evaluate", "--items", "300", "--seconds", str(stage.seconds))

    def printed():
        return load.own(stage.binary, "paper", "--items", "40", "--seconds", str(stage.seconds))

    products, entries = "/v1/products?pageSize=30", "/v1/contentEntries?pageSize=30&locale=en-US"
    return [
        Bar("post-envoy", "REST POST of a 1 KB document", ours(echo), front("envoy", echo), "Envoy's transcoder", 4),
        Bar("post-gateway", "REST POST of a 1 KB document", ours(echo), front("gateway", echo), "grpc-gateway", 6),
        Bar("post-axum", "REST POST of a 1 KB document", ours(echo), by_hand(echo), "a bare axum handler"),
        Bar("store-axum", "REST POST, stored on PostgreSQL", ours(make), by_hand(make), "axum + sqlx by hand", 0.75),
        Bar("get-envoy", "small REST GET", ours(badge), front("envoy", badge), "Envoy's transcoder", 6),
        Bar("get-gateway", "small REST GET", ours(badge), front("gateway", badge), "grpc-gateway", 5),
        Bar("p50-envoy", "REST GET, one caller, p50", ours(badge, 1), front("envoy", badge, 1), "Envoy's transcoder", None, 0.35, "p50_us"),
        Bar("grpc-tonic", "gRPC with authentication and tracing", our_grpc("EchoDocument"), bare_grpc, "bare tonic echo", 0.70),
        Bar("write-row", "durable write, PostgreSQL, 64 callers", written("kit", 64), written("row", 64), "a counter row per request", 6),
        Bar("write-pgbench", "durable write, PostgreSQL, 64 callers", written("kit", 64), lambda: stage.pgbench("N", 64), "pgbench -N", 1.8),
        Bar("write-etcd-rest", "durable write over REST, 64 callers", ours(make), etcd_rest, "etcd over REST", 1.3),
        Bar("write-etcd-grpc", "durable write over gRPC, 64 callers", our_grpc("CreateDocument", 64, 1), etcd_grpc, "etcd over gRPC", 0.9),
        Bar("write-one", "durable write, PostgreSQL, 1 caller", written("kit", 1), written("row", 1), "one statement, nothing else", 0.9),
        Bar("write-sqlite", "durable write, SQLite, 64 callers", written("kit", 64, "sqlite"), written("row", 64, "sqlite"), "a transaction per request", 8),
        Bar("read-pgbench", "read by key, PostgreSQL, 16 callers", lambda: stage.read(16), lambda: stage.pgbench("S", 16), "pgbench -S", 0.25),
        Bar("read-sealed", "read by key with two sealed fields, 16 callers", lambda: stage.read_sealed(16, True), lambda: stage.read_sealed(16, False), "the same stored plain", None, 1.25, "p50_us"),
        Bar("write-sealed", "durable write with two sealed fields, PostgreSQL, 64 callers", lambda: stage.write_sealed(64, "postgres", True), lambda: stage.write_sealed(64, "postgres", False), "the same stored plain", None, 1.3, "p50_us"),
        Bar("write-sealed-sqlite", "durable write with two sealed fields, SQLite, 64 callers", lambda: stage.write_sealed(64, "sqlite", True), lambda: stage.write_sealed(64, "sqlite", False), "the same stored plain", None, 1.3, "p50_us"),
        Bar("download", "download of a stored file of 8 MiB, 4 callers", downloaded(0), downloaded(1), "tower-http's ServeDir", 0.7),
        Bar("content-page", "a page of 30 content entries of 10,000, one caller, p50", shelf(entries), shelf(products), "a list of 30 products", None, 1.5, "p50_us"),
        Bar("plan-map", "planMap over 1,000 rows, one caller, p50", planned, lambda: {"p50_us": 1_000.0}, "a millisecond", None, 1, "p50_us"),
        Bar("eligibility", "a member's 60 benefits by 6 plans, one caller, p50", eligible, lambda: {"p50_us": 10_000.0}, "ten milliseconds", None, 1, "p50_us"),
        Bar("questionnaire", "a questionnaire's page of 300 items is evaluated, p50", evaluated, lambda: {"p50_us": 2_000.0}, "two milliseconds", None, 1, "p50_us"),
        Bar("paper", "an invoice of 40 items is written as PDF, p50", printed, lambda: {"p50_us": 30_000.0}, "thirty milliseconds", None, 1, "p50_us"),
        Bar("catalog-growth", "a list of 30 products of 100,000, one caller, p50", shelf(products, 100_000), shelf(products), "of 1,000", None, 1.2, "p50_us"),
        Bar("two-processes", "two processes on one journal, 64 callers", written("kit", 64, "postgres", 2), written("kit", 64), "one process", 0.9),
    ]
