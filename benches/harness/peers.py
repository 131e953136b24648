"""The peers: Envoy's transcoder, grpc-gateway, etcd, PostgreSQL, and the service itself."""

import base64
import json
import os
import pwd
import shutil
import struct
import subprocess
import urllib.request

from . import machine

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GO_KNOWN = ("any", "duration", "empty", "struct", "timestamp", "wrappers")


class Postgres:
    """A cluster in a folder of its own, with fsync on."""

    def __init__(self, folder):
        self.bin = machine.postgres_folder()
        self.folder = os.path.join(folder, "postgres")
        os.makedirs(self.folder)
        self.user = {}
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            os.chmod(folder, 0o755)
            self.user = {"user": owner.pw_uid, "group": owner.pw_gid, "cwd": "/"}
        data = os.path.join(self.folder, "data")
        self.run("initdb", "-D", data, "-A", "trust", "-U", "postgres", "--locale=C", "-E", "UTF8")
        self.port = machine.port()
        settings = ["-c", f"port={self.port}", "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={self.folder}"]
        settings += ["-c", "max_connections=300", "-c", "shared_buffers=512MB", "-c", "max_wal_size=8GB", "-c", "fsync=on"]
        command = [os.path.join(self.bin, "postgres"), "-D", data, *settings]
        self.process = machine.start(command, os.path.join(folder, "postgres.log"), **self.user)
        machine.wait_for(f"127.0.0.1:{self.port}", "PostgreSQL", self.process)
        while True:
            try:
                self.sql("SELECT 1")
                break
            except SystemExit:
                continue
        self.count = 0

    def run(self, program, *arguments):
        return machine.run([os.path.join(self.bin, program), *arguments], quiet=True, **self.user)

    def sql(self, text, database="postgres"):
        return self.run("psql", "-XqAt", "-c", text, self.url(database))

    def url(self, database):
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"

    def fresh(self):
        """A new database."""
        self.count += 1
        name = f"bench{self.count}"
        self.sql(f"CREATE DATABASE {name}")
        return self.url(name)

    def settle(self, url):
        """Writes out and cleans up what a database that was filled would go on with for minutes."""
        self.run("psql", "-XqAt", "-c", "VACUUM (ANALYZE)", "-c", "CHECKPOINT", url)

    def pgbench(self):
        """A new database with the tables of pgbench, large enough that its rows are not what callers wait for."""
        url = self.fresh()
        self.run("pgbench", "-i", "-q", "-s", "20", url)
        return url


def service(binary, database, folder, name="service"):
    """The measured service made of our parts: its address and the token that it takes."""
    address = f"127.0.0.1:{machine.port()}"
    command = [binary, "serve", "--listen", address, "--database", database]
    process = machine.start(command, os.path.join(folder, f"{name}.log"), stdout=subprocess.PIPE)
    token = process.stdout.readline().strip()
    machine.wait_for(address, "the service", process)
    return address, token


def plain(binary, database, folder):
    """The same written by hand: addresses of REST and gRPC."""
    rest, grpc = (f"127.0.0.1:{machine.port()}" for _ in range(2))
    command = [binary, "plain", "--http", rest, "--grpc", grpc, "--database", database]
    process = machine.start(command, os.path.join(folder, "plain.log"))
    machine.wait_for(rest, "the service written by hand", process)
    machine.wait_for(grpc, "the service written by hand", process)
    return rest, grpc


def served_folder(binary, folder, log):
    """A folder as tower-http serves it: its address."""
    address = f"127.0.0.1:{machine.port()}"
    process = machine.start([binary, "folder", "--listen", address, "--folder", folder], log)
    machine.wait_for(address, "the server of a folder", process)
    return address


def envoy(program, folder, upstream, descriptors, services=("pavise.bench.v1.DocumentService",), **options):
    """Envoy's transcoder before services; more options of the transcoder can be given."""
    address = f"127.0.0.1:{machine.port()}"
    host, number = address.split(":")
    upstream_host, upstream_port = upstream.split(":")

    def place(host, number):
        return {"socket_address": {"address": host, "port_value": int(number)}}

    api = "type.googleapis.com/envoy.extensions"
    transcoder = {
        "@type": f"{api}.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
        "proto_descriptor": descriptors,
        "services": list(services),
        **options,
    }
    manager = {
        "@type": f"{api}.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "rest",
        "route_config": {
            "virtual_hosts": [
                {"name": "all", "domains": ["*"], "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "service"}}]}
            ]
        },
        "http_filters": [
            {"name": "transcoder", "typed_config": transcoder},
            {"name": "router", "typed_config": {"@type": f"{api}.filters.http.router.v3.Router"}},
        ],
    }
    http2 = {"@type": f"{api}.upstreams.http.v3.HttpProtocolOptions", "explicit_http_config": {"http2_protocol_options": {}}}
    endpoint = {"lb_endpoints": [{"endpoint": {"address": place(upstream_host, upstream_port)}}]}
    config = {
        "static_resources": {
            "listeners": [
                {
                    "address": place(host, number),
                    "filter_chains": [{"filters": [{"name": "http", "typed_config": manager}]}],
                }
            ],
            "clusters": [
                {
                    "name": "service",
                    "type": "STATIC",
                    "load_assignment": {"cluster_name": "service", "endpoints": [endpoint]},
                    "typed_extension_protocol_options": {f"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": http2},
                }
            ],
        }
    }
    file = os.path.join(folder, "envoy.json")
    with open(file, "w") as out:
        json.dump(config, out)
    command = [program, "-c", file, "--concurrency", str(os.cpu_count()), "--log-level", "warning", "--disable-hot-restart"]
    process = machine.start(command, os.path.join(folder, "envoy.log"), stdout=subprocess.DEVNULL)
    machine.wait_for(address, "Envoy", process)
    return address


# Where Go keeps what protos import.
GO_IMPORTS = {f"google/protobuf/{name}.proto": f"github.com/golang/protobuf/ptypes/{name}" for name in GO_KNOWN}
GO_IMPORTS["google/protobuf/field_mask.proto"] = "google.golang.org/genproto/protobuf/field_mask"
GO_IMPORTS["google/api/annotations.proto"] = "google.golang.org/genproto/googleapis/api/annotations"


def with_known_names(file):
    """The generator calls packages as newer protos do (`emptypb`); these are the older ones (`empty`, but `structpb`)."""
    with open(file) as source:
        text = source.read()
    for name in GO_KNOWN:
        text = text if name == "struct" else text.replace(f"{name}pb.", f"{name}.")
    with open(file, "w") as out:
        out.write(text)


def gateway(folder, cache, upstream, source=os.path.join(HERE, "peers"), protos=("document.proto",), name="gateway"):
    """grpc-gateway before a service; it is built once from Debian's sources. `source` has the protos and gateway/main.go."""
    place = os.path.join(cache, name)
    program = os.path.join(place, "gateway")
    newest = max(os.path.getmtime(os.path.join(source, file)) for file in (*protos, "gateway/main.go"))
    if not os.path.exists(program) or os.path.getmtime(program) < newest:
        machine.say("Building grpc-gateway")
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(os.path.join(place, "src/gateway"))
        shutil.copy(os.path.join(source, "gateway/main.go"), os.path.join(place, "src/gateway"))
        packages = ",".join(f"M{file}={package}" for file, package in GO_IMPORTS.items())
        command = ["protoc", "-I", source, "-I", os.path.join(HERE, "../proto"), f"--go_out=plugins=grpc,{packages}:{place}/src"]
        machine.run(command + [f"--grpc-gateway_out=logtostderr=true,{packages}:{place}/src", *protos])
        for folder_of_code, _, files in os.walk(os.path.join(place, "src")):
            for file in (one for one in files if one.endswith(".pb.gw.go")):
                with_known_names(os.path.join(folder_of_code, file))
        paths = {"GO111MODULE": "off", "GOPATH": f"{place}:/usr/share/gocode", "GOFLAGS": ""}
        machine.run(["go", "build", "-o", program, "gateway"], env={**os.environ, **paths})
    address = f"127.0.0.1:{machine.port()}"
    process = machine.start([program, address, upstream], os.path.join(folder, "gateway.log"))
    machine.wait_for(address, "grpc-gateway", process)
    return address


def etcd(folder):
    """etcd with one member, which waits for its disk."""
    client, peer = (f"http://127.0.0.1:{machine.port()}" for _ in range(2))
    command = ["etcd", "--data-dir", os.path.join(folder, "etcd"), "--logger", "zap", "--log-level", "error"]
    command += ["--listen-client-urls", client, "--advertise-client-urls", client]
    command += ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}"]
    command += ["--quota-backend-bytes", str(8 << 30)]
    process = machine.start(command, os.path.join(folder, "etcd.log"), stdout=subprocess.DEVNULL)
    address = client.removeprefix("http://")
    machine.wait_for(address, "etcd", process)
    return address


def etcd_put(value):
    """etcd's put of a value: as JSON, and as a gRPC message in its frame."""
    key = b"documents/1"
    body = json.dumps({"key": base64.b64encode(key).decode(), "value": base64.b64encode(value).decode()})

    def length(number):
        return bytes([number & 0x7F | 0x80, number >> 7] if number > 0x7F else [number])

    message = b"\x0a" + length(len(key)) + key + b"\x12" + length(len(value)) + value
    return body, struct.pack(">BI", 0, len(message)) + message


def ask(address, path, token=None, body=None):
    """One request, to see that peers answer the same."""
    request = urllib.request.Request(f"http://{address}{path}", data=body, headers={"content-type": "application/json"})
    if token:
        request.add_header("authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read())
