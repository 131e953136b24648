"""What callers of the whole server wait for: people who are found, mails that are sent, events that are taken, plans that are billed."""

import asyncio
import base64
import http.client
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
    "renewals": "plans that are billed and charged on one day, and the memory of the server",
    "renewals_due": "first page of the plans that are billed on a day, by how many plans there are",
    "renewals_paper": "PDF of an invoice",
}
SECRET = "the mesh secret of the benchmarks"
# Searches of a run: it lasts seconds, so that what the server does now and then falls into each. And the callers who make
# them: each makes fewer in all runs than it may in a minute.
SEARCHES, SEARCHERS = 2_000, 200
# Seconds in which the workers must have read the journals of what was filled, and between two looks: each reads its journal
# once in that time even if nothing happens.
SETTLES, WAIT = 1_800, 5
# Mails an hour that one caller may ask for, and that may come from one address.
SENDINGS, SENDERS_AT_AN_ADDRESS = 900, 5
EVENTS_A_REQUEST = 20
# The day on which the clock of the renewals begins; the plans are billed on the second day after it. On the day before,
# some of the same kind are billed, so that the memory is that of a server at work: its caches hold what each day needs.
CLOCK, DAY_BEFORE, BILLED_ON = "2026-01-01", "2026-01-02", "2026-01-03"
BILLED_BEFORE = 2_000
# Plans that are billed on the day that is listed, the size of a page of them, and the requests for one.
DUE, PAGE, PAGES = 200, 50, 400
# People who share a phone number: a household.
HOUSEHOLD = 4

FIRST = ("Ada Ben Chloé Daniel Elena Farid Grace Hugo Inés Jamal Keiko Liam Mónica Noah Olivia Pedro Quinn Rosa Samuel Tessa Umar Vera "
         "William Ximena Yusuf Zoë Anthony Barbara Charles Deborah Edward Frances George Helen Isaac Julia Kenneth Laura Michael Nancy").split()
SYLLABLES = "ba be bo da de do fa fe ga ge ha ho ja ka ke ki la le li lo ma me mi mo na ne no pa pe ra re ri ro sa se so ta te to va ve wa we za".split()


class Server:
    """The release server on an SQLite file of its own."""

    def __init__(self, program, folder, name, *options):
        self.program, self.folder = program, folder
        self.address, self.admin = (f"127.0.0.1:{machine.port()}" for _ in range(2))
        command = [program, "serve", "--listen", self.address, "--admin-listen", self.admin, "--log", "warn", "--mesh-secret", SECRET]
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

    def settle(self):
        """Waits until the workers have read the journals of what was filled, and the machine is quiet."""
        until, free = time.monotonic() + SETTLES, 0
        while free < 2:
            with urllib.request.urlopen(f"http://{self.admin}/metrics", timeout=60) as answer:
                lags = [line for line in answer.read().decode().splitlines() if line.startswith("pavise_worker_lag{")]
            free = free + 1 if all(line.endswith(" 0") for line in lags) else 0
            if time.monotonic() > until:
                raise SystemExit(f"workers still read after {SETTLES} s: {[line for line in lags if not line.endswith(' 0')]}")
            time.sleep(WAIT)
        machine.quiet()

    def end(self):
        machine.end(self.process)

    def memory(self):
        """Its memory, in MiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1_024


# People


def person(number):
    """The person of that number: always the same one. However many people there are, equally many share a phone number."""
    chance = random.Random(number)
    last = "".join(chance.choice(SYLLABLES) for _ in range(3)).capitalize()
    area, line = divmod(number // HOUSEHOLD, 10_000)
    return {"first": FIRST[number % len(FIRST)], "last": last, "email": f"{last.lower()}.{number}@example.com", "phone": f"+1{512 + area}555{line:04}"}


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
    for turn in range(SEARCHES):
        one = person((turn * 7919) % count)
        what = (
            {"text": f"{one['first']} {one['last']}"},
            {"text": one["email"]},
            {"text": one["last"], "phoneNumber": one["phone"]},
            {"employeeId": f"E{(turn * 7919) % count}"},
            {"text": f"{one['first'][:3]} {one['last']}"},
        )[turn % 5]
        lines.append(("POST", "/v1/profiles/search", server.headers(f"desk-{turn % SEARCHERS}"), {**what, "pageSize": 20}))
    return lines


def fill_people(server, binary, folder, size):
    """Makes so many profiles. How many there are is kept beside the database, which may be from an earlier run."""
    mark = os.path.join(folder, f"people-{size}.filled")
    filled = int(open(mark).read()) if os.path.exists(mark) else 0
    if filled < size:
        machine.say(f"Filling up to {size:,} profiles")
    for start in range(filled, size, 50_000):
        numbers = range(start, min(size, start + 50_000))
        server.ask(binary, (profile(server, number) for number in numbers), len(numbers), 64)
        with open(mark, "w") as out:
            out.write(str(numbers.stop))
    server.settle()


def search(binary, program, folder, sizes, rounds=5):
    """How long one caller of the search waits, by how many profiles there are. Each size has a server of its own, and they
    are asked in turn."""
    servers = [Server(program, folder, f"people-{size}") for size in sizes]
    for server, size in zip(servers, sizes):
        fill_people(server, binary, folder, size)
    lines = [searches(server, size) for server, size in zip(servers, sizes)]
    runs = [[] for _ in sizes]
    for _ in range(rounds):
        for at, server in enumerate(servers):
            runs[at].append(server.ask(binary, lines[at], len(lines[at]), 1))
    for server in servers:
        server.end()
    found = []
    for size, of_size in zip(sizes, runs):
        line = {"count": size}
        for metric in ("p50_us", "p99_us"):
            line[metric] = sorted(run[metric] for run in of_size)[rounds // 2]
        found.append(line)
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


# Renewals


def plan(server, day):
    """The request that makes the monthly plan of the member of a number, billed first on a day."""
    price = {"currency": "USD", "amount": "2995"}
    body = {
        "offerId": "20000000-0000-4000-8000-000000000001", "billingPeriod": "MONTHLY", "startedOn": CLOCK, "nextBillOn": day,
        "items": [{"type": "PRODUCT", "productId": "10000000-0000-4000-8000-000000000001", "tierId": "individual", "name": "Legal", "family": "lgl", "price": price}],
    }
    return "POST", "/v1/identities/member-{n}/subscriptions", server.headers(), body


def card(server):
    """The request that adds a card of the test vendor for the member of a number."""
    printed = {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}
    body = {"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111", "isDefault": True, "card": printed}
    return "POST", "/v1/identities/member-{n}/paymentMethods", server.headers(), body


def advance(server, day):
    """Moves the test clock to a day. Answers the seconds until that day's work is done, and the figures of the day."""
    began = time.monotonic()
    server.call("POST", "/v1/testClock/advance", {"untilDay": day})
    while (moved := server.call("GET", "/v1/testClock")["lastAdvance"]).get("advancing"):
        time.sleep(0.2)
    figures = moved["days"][-1]["figures"]
    return time.monotonic() - began, {one["name"]: int(one["count"]) for one in figures}


def renewals(binary, program, folder, count):
    """How many plans a second are billed and charged on a day on which so many are due, and how the memory grows by it."""
    server = Server(program, folder, "renewals", "--test-vendor", "--test-clock", CLOCK)
    machine.say(f"Filling {count:,} plans")
    server.ask(binary, [card(server)], count + BILLED_BEFORE, 64)
    server.ask(binary, [plan(server, BILLED_ON)], count, 64)
    server.ask(binary, [plan(server, DAY_BEFORE)], BILLED_BEFORE, 64, count)
    # The workers read what was filled before the day begins that is measured.
    advance(server, DAY_BEFORE)
    machine.quiet()
    before = server.memory()
    seconds, figures = advance(server, BILLED_ON)
    after = server.memory()
    billed, charged = (figures.get(name, 0) for name in ("subscriptions.BILLING_ADVANCED", "subscriptions.PAID_TO_DATE_UPDATED"))
    left = figures.get("parked", 0) + figures.get("set_aside", 0)
    if (billed, charged) != (count, count) or left:
        raise SystemExit(f"{billed} plans were billed and {charged} paid, of {count}, and {left} entries are left: {figures}")
    server.end()
    return {"count": count, "billed_before": BILLED_BEFORE, "seconds": seconds, "per_second": count / seconds, "before": before, "after": after}


def renewals_due(binary, program, folder, sizes):
    """How long the first page of the plans of a day takes, by how many plans there are. Equally many are billed on that day."""
    server, filled, found = Server(program, folder, "due", "--test-clock", CLOCK), DUE, []
    server.ask(binary, [plan(server, BILLED_ON)], DUE, 64)
    others = [plan(server, f"2026-{month:02}-{day:02}") for month in range(2, 12) for day in range(1, 29)]
    headers = dict(server.headers())
    path = f"/v1/subscriptions?nextBillFrom={BILLED_ON}&nextBillUntil={BILLED_ON}&pageSize={PAGE}"
    for size in sizes:
        machine.say(f"Filling up to {size:,} plans")
        server.ask(binary, others, size - filled, 64, filled)
        filled = size
        server.settle()
        connection, taken = http.client.HTTPConnection(server.address), []
        for _ in range(PAGES):
            began = time.perf_counter()
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
            taken.append((time.perf_counter() - began) * 1e6)
            listed = len(json.loads(body).get("subscriptions", []))
            if answer.status != 200 or listed != PAGE:
                raise SystemExit(f"the page of a day: {answer.status}, {listed} plans: {body[:300]!r}")
        connection.close()
        found.append({"count": size, "p50_us": sorted(taken)[PAGES // 2]})
    server.end()
    return found


def renewals_paper(binary, program, folder):
    """How long one caller waits for the PDF of an invoice. Each of them is made anew."""
    server, lines = Server(program, folder, "paper"), []
    for number in range(200):
        amounts = [{"type": "ORDER", "amount": {"currency": "USD", "amount": str(2995 + number)}, "description": "Legal"} for _ in range(3)]
        raised = server.call("POST", f"/v1/identities/member-{number}/invoices", {"currency": "USD", "items": amounts})
        lines.append(("GET", f"/v1/identities/member-{number}/invoices/{raised['id']}/pdf", server.headers(f"desk-{number % 20}"), None))
    machine.quiet()
    taken = server.ask(binary, lines, len(lines), 1)
    server.end()
    return {"p50_us": taken["p50_us"], "p99_us": taken["p99_us"]}
