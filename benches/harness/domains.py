"""What callers of the whole server wait for: people who are found, mails that are sent, events that are taken."""

import asyncio
import base64
import itertools
import json
import os
import random
import subprocess
import threading
import time
import urllib.request

from . import load, machine

TITLES = {
    "profiles": "read of a profile with sealed fields, beside one without",
    "search": "search for people, by how many profiles there are",
    "mails": "mails that a local server has",
    "events": "delivery events of the mail service that are taken",
}
SECRET = "the mesh secret of the benchmarks"
# Calls a minute that one caller may make of the search.
SEARCHES = 100
# Mails an hour that one caller may ask for, and that may come from one address.
SENDINGS, SENDERS_AT_AN_ADDRESS = 900, 5
EVENTS_A_REQUEST = 20

FIRST = ("Ada Ben Chloé Daniel Elena Farid Grace Hugo Inés Jamal Keiko Liam Mónica Noah Olivia Pedro Quinn Rosa Samuel Tessa Umar Vera "
         "William Ximena Yusuf Zoë Anthony Barbara Charles Deborah Edward Frances George Helen Isaac Julia Kenneth Laura Michael Nancy").split()
SYLLABLES = "ba be bo da de do fa fe ga ge ha ho ja ka ke ki la le li lo ma me mi mo na ne no pa pe ra re ri ro sa se so ta te to va ve wa we za".split()


class Server:
    """The release server on an SQLite file of its own."""

    def __init__(self, program, folder, name, *options):
        self.program, self.folder = program, folder
        self.address, admin = (f"127.0.0.1:{machine.port()}" for _ in range(2))
        command = [program, "serve", "--listen", self.address, "--admin-listen", admin, "--log", "warn", "--mesh-secret", SECRET]
        command += ["--key-secret", "the key secret of the benchmarks", "--database", f"sqlite://{folder}/{name}.db", *options]
        self.process = machine.start(command, os.path.join(folder, f"{name}.log"), stdout=subprocess.DEVNULL)
        machine.wait_for(self.address, "the server", self.process, 120)
        self.tokens = {}

    def token(self, name="benchmarks"):
        if name not in self.tokens:
            command = [self.program, "token", "issue", "--mesh-secret", SECRET, "--name", name, "--minutes", "600"]
            self.tokens[name] = machine.run(command).strip()
        return self.tokens[name]

    def headers(self, name="benchmarks"):
        return [["authorization", f"Bearer {self.token(name)}"], ["content-type", "application/json"]]

    def call(self, method, path, body=None):
        """One call; a refusal ends the benchmark."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.address}{path}", data, dict(self.headers()), method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.read().decode()}") from error

    def ask(self, binary, lines, count, callers, start=0):
        """Sends requests that are given as (method, path, headers, body)."""
        file = os.path.join(self.folder, "requests.jsonl")
        with open(file, "w") as out:
            for method, path, headers, body in lines:
                out.write(json.dumps({"method": method, "path": path, "headers": headers, "body": body}) + "\n")
        command = ["ask", "--to", f"http://{self.address}", "--requests", file, "--count", str(count), "--callers", str(callers), "--from", str(start)]
        return load.own(binary, *command)

    def end(self):
        machine.end(self.process)


# People


def person(number):
    """The person of that number: always the same one."""
    chance = random.Random(number)
    last = "".join(chance.choice(SYLLABLES) for _ in range(3)).capitalize()
    return {"first": FIRST[number % len(FIRST)], "last": last, "email": f"{last.lower()}.{number}@example.com", "phone": f"+1512555{number % 10000:04}"}


def profile(server, number, sealed=False):
    """The request that makes the profile of a person."""
    one = person(number)
    body = {
        "name": {"firstName": one["first"], "lastName": one["last"]},
        "locale": "en-US",
        "emails": [{"address": one["email"], "primary": True}],
        "phoneNumbers": [{"type": "cell", "number": one["phone"], "primary": True}],
        "employeeId": f"E{number}",
    }
    if sealed:
        body["dateOfBirth"] = "1980-02-03"
        body["nationalIdentifier"] = {"type": "SSN", "value": "123-45-6789"}
    return "POST", f"/v1/identities/{identity(number)}/profile", server.headers(), body


def identity(number):
    return f"{number:08x}-0000-4000-8000-000000000000"


def searches(server, count):
    """Requests of the search for people among so many: by each thing that people say."""
    lines = []
    for turn in range(200):
        one = person((turn * 7919) % count)
        what = (
            {"text": f"{one['first']} {one['last']}"},
            {"text": one["email"]},
            {"text": one["last"], "phoneNumber": one["phone"]},
            {"employeeId": f"E{(turn * 7919) % count}"},
            {"text": f"{one['first'][:3]} {one['last']}"},
        )[turn % 5]
        lines.append(("POST", "/v1/profiles/search", server.headers(f"desk-{turn % 20}"), {**what, "pageSize": 20}))
    return lines


def search(binary, program, folder, sizes):
    """How long one caller of the search waits, by how many profiles there are."""
    server, filled, found = Server(program, folder, "people"), 0, []
    for size in sizes:
        machine.say(f"Filling up to {size:,} profiles")
        for start in range(filled, size, 50_000):
            numbers = range(start, min(size, start + 50_000))
            server.ask(binary, (profile(server, number) for number in numbers), len(numbers), 64)
        filled = size
        machine.quiet()
        lines = searches(server, size)
        # Each of 20 callers asks fewer times than it may in a minute.
        runs = []
        for _ in range(5):
            runs.append(server.ask(binary, lines, len(lines), 1))
            time.sleep(max(0, 60 * len(lines) / 20 / SEARCHES - 5))
        line = {"count": size}
        for metric in ("p50_us", "p99_us"):
            line[metric] = sorted(run[metric] for run in runs)[2]
        found.append(line)
    server.end()
    return found


def profiles(binary, program, folder, rounds=5):
    """The read of a profile with a birthday and a national identifier, beside that of one without."""
    server = Server(program, folder, "sealed")
    for sealed, start in ((True, 0), (False, 1000)):
        numbers = range(start, start + 1000)
        server.ask(binary, (profile(server, number, sealed) for number in numbers), 1000, 16)
    found = {True: [], False: []}
    for number in range(rounds):
        for sealed in (True, False) if number % 2 else (False, True):
            start = 0 if sealed else 1000
            lines = [("GET", f"/v1/identities/{identity(start + place)}/profile", server.headers(), None) for place in range(1000)]
            machine.quiet()
            found[sealed].append(server.ask(binary, lines, 4000, 16)["p50_us"])
    server.end()
    return {"sealed_us": sorted(found[True])[rounds // 2], "plain_us": sorted(found[False])[rounds // 2]}


# Mails


class MailServer:
    """A mail server on loopback that takes every mail and counts them."""

    def __init__(self):
        self.ids, self.last = [], 0.0
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self.run, args=(ready,), daemon=True).start()
        ready.wait()

    def run(self, ready):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.talk, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()

    async def talk(self, reader, writer):
        try:
            await self.take(reader, writer)
        except ConnectionError:
            # The server under measurement ended.
            pass

    async def take(self, reader, writer):
        writer.write(b"220 bench\r\n")
        while line := await reader.readline():
            word = line.split(maxsplit=1)[0].upper() if line.strip() else b""
            if word == b"EHLO":
                writer.write(b"250-bench\r\n250 8BITMIME\r\n")
            elif word == b"DATA":
                writer.write(b"354 go on\r\n")
                while (part := await reader.readline()) not in (b".\r\n", b""):
                    if part.lower().startswith(b"message-id:"):
                        self.ids.append(part[11:].strip())
                self.last = time.monotonic()
                writer.write(b"250 taken\r\n")
            elif word == b"QUIT":
                writer.write(b"221 bye\r\n")
                await writer.drain()
                writer.close()
                return
            else:
                writer.write(b"250 yes\r\n")
            await writer.drain()


def mails(binary, program, folder, count):
    """Seconds from the first request for a mail until a local server has them all, each once."""
    post = MailServer()
    server = Server(program, folder, "mails", "--smtp-url", f"smtp://127.0.0.1:{post.port}")
    key = "bench.welcome"
    server.call("POST", "/v1/notifications/templates", {
        "key": key, "category": "ACCOUNT", "types": ["EMAIL"],
        "variables": [{"name": "name", "kind": "TEXT", "sample": "Ada"}],
        "contents": [{"type": "EMAIL", "locale": "en-US", "subject": "Welcome", "text": "Hello {{ name }},\n\nyour plan begins today."}],
    })
    server.call("POST", f"/v1/notifications/templates/{key}/publish", {})
    lines = []
    for number in range(count):
        sender = number % (count // SENDINGS + 1)
        headers = [*server.headers(f"sender-{sender}"), ["x-forwarded-for", f"10.0.{sender // SENDERS_AT_AN_ADDRESS}.1"]]
        body = {"notification": {"templateKey": key, "types": ["EMAIL"], "email": person(number)["email"], "values": [{"name": "name", "text": "Ada"}]}}
        lines.append(("POST", "/v1/sendNotification", headers, body))
    machine.quiet()
    began = time.monotonic()
    server.ask(binary, lines, count, 16)
    asked = time.monotonic() - began
    while len(post.ids) < count and time.monotonic() - post.last < 30:
        time.sleep(0.05)
    if len(post.ids) != count or len(set(post.ids)) != count:
        raise SystemExit(f"{len(post.ids)} mails came, {len(set(post.ids))} different ones, of {count}")
    server.end()
    return {"count": count, "asked": asked, "seconds": post.last - began}


# Events


def events(binary, program, folder, count):
    """How many delivery events of the mail service a second are taken: checked, and stored each once."""
    key = os.path.join(folder, "events.pem")
    machine.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key], quiet=True)
    public = subprocess.run(["openssl", "ec", "-in", key, "-pubout", "-outform", "DER"], check=True, capture_output=True).stdout
    server = Server(program, folder, "events", "--sendgrid-verification-key", base64.b64encode(public).decode())
    lines, numbers = [], itertools.count()
    stamp = str(int(time.time()))
    for _ in range(count // EVENTS_A_REQUEST):
        body = json.dumps([
            {"event": "delivered", "sg_event_id": f"event-{number}", "sg_message_id": f"message-{number % 5_000}.0", "timestamp": int(stamp)}
            for number in itertools.islice(numbers, EVENTS_A_REQUEST)
        ])
        signed = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=stamp.encode() + body.encode(), check=True, capture_output=True).stdout
        headers = [["content-type", "application/json"], ["x-twilio-email-event-webhook-timestamp", stamp],
                   ["x-twilio-email-event-webhook-signature", base64.b64encode(signed).decode()]]
        lines.append(("POST", "/v1/sendgrid/events", headers, body))
    machine.quiet()
    taken = server.ask(binary, lines, len(lines), 16)
    server.end()
    return {"count": count, "per_second": taken["per_second"] * EVENTS_A_REQUEST, "p99_us": taken["p99_us"]}
