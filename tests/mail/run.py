"""Runs `pavise serve` against a mail server that wants STARTTLS and a sign-in, and checks what the mail server gets."""

import argparse
import email
import email.policy
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from postgres import Postgres

SECRET = "the mesh secret of the mail check"
USER, PASSWORD = "pavise", "a password for mails"
# How long something may take that happens at once, and what waits for a second try after a minute.
SOON, LATER = 30, 110


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(what, find, seconds=SOON):
    until = time.monotonic() + seconds
    while True:
        found = find()
        if found:
            return found
        if time.monotonic() > until:
            sys.exit(f"{what}: not within {seconds} s")
        time.sleep(0.05)


def check(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")


class Mails:
    """Keeps the mails, and whether they came encrypted by somebody who signed in."""

    def __init__(self):
        self.taken, self.tries, self.refuses = [], [], set()
        # What happens when a mail to an address was taken, before the sender learns it.
        self.at_hand_over = {}

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        check(session.ssl is not None, "a mail comes over TLS")
        check(session.authenticated and session.auth_data == USER, "a mail comes from somebody who signed in")
        to = envelope.rcpt_tos[0]
        self.tries.append((to, mail["message-id"]))
        if to in self.refuses:
            self.refuses.discard(to)
            return "451 4.3.0 later"
        self.taken.append((to, mail))
        self.at_hand_over.pop(to, lambda: None)()
        return "250 taken"

    def to(self, address):
        return [mail for to, mail in self.taken if to == address]


def sign_in(server, session, envelope, mechanism, data):
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    # The name alone is kept.
    return AuthResult(success=good, handled=False, auth_data=USER if good else None)


def certificates(folder):
    """An authority and a certificate of localhost."""
    made = lambda *words: subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=mail check")
    made("req", *key, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=localhost")
    Path(folder, "names").write_text("subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n")
    signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
    made("x509", "-req", "-in", "request.pem", *signed, "-out", "cert.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(folder, "cert.pem"), Path(folder, "key.pem"))
    return context


class Pavise:
    """A running server."""

    def __init__(self, binary, folder, smtp, port=None, database=None, settings=None):
        self.port, self.binary = port or free_port(), binary
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {
            **os.environ,
            "PAVISE_MESH_SECRET": SECRET,
            "PAVISE_KEY_SECRET": "the key secret of the mail check",
            "PAVISE_MAIL_FROM": "Pavise <no-reply@pavise.example>",
            # The system's authorities do not know the one of the check.
            "SSL_CERT_FILE": f"{folder}/ca.pem",
            **({"PAVISE_SMTP_URL": smtp} if smtp else {}),
            **(settings or {}),
        }
        command = [binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--admin-listen", f"127.0.0.1:{free_port()}"]
        command += ["--database", database or f"sqlite://{folder}/{self.port}.db", "--public-url", self.url, "--log", "warn"]
        self.log = tempfile.NamedTemporaryFile("w+", dir=folder, suffix=".log", delete=False, encoding="utf-8")
        self.process = subprocess.Popen(command, stderr=self.log, stdout=self.log, env=environment)
        issued = subprocess.run([binary, "token", "issue"], env=environment, capture_output=True, text=True, check=True)
        self.token = issued.stdout.strip()
        wait_for("the server", self.is_up, 60)

    def is_up(self):
        check(self.process.poll() is None, f"the server runs: {self.said()}")
        return "Pavise serves" in self.said()

    def ask(self, method, path, body=None, token=None, kind="application/json"):
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        url = path if path.startswith("http") else self.url + path
        request = urllib.request.Request(url, data=data, method=method, headers={"content-type": kind})
        if token:
            request.add_header("authorization", f"Bearer {token}")
        request.add_header("idempotency-key", os.urandom(16).hex())
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read().decode()
            return json.loads(text) if text.startswith("{") else text

    def send(self, address, text="Hello."):
        body = {"recipients": [address], "subject": "Hello", "text": text, "category": "ACCOUNT"}
        return self.ask("POST", "/v1/sendEmail", body, self.token)["notifications"][0]["id"]

    def status(self, notification):
        found = self.ask("GET", f"/v1/notifications/{notification}", token=self.token)
        return found["status"], found.get("failure", "")

    def said(self):
        self.log.flush()
        return Path(self.log.name).read_text(encoding="utf-8")

    def stop(self):
        self.process.terminate()
        self.process.wait(20)

    def kill(self):
        """kill -9: no word to its callers, nothing flushed."""
        self.process.kill()
        self.process.wait(20)


def code_of(address, pavise, mails):
    """A sign-up mails a code: over TLS, and without a link to unsubscribe by."""
    body = {"realm": "User", "emails": [address], "password": "correct horse battery"}
    pavise.ask("POST", "/v1/identities", body)
    [mail] = wait_for("the mail with a code", lambda: mails.to(address))
    check(mail["subject"] == "Is this your e-mail address?", f"it asks for a proof: {mail['subject']}")
    check(mail["from"] == "Pavise <no-reply@pavise.example>", "it comes from the configured sender")
    check(mail["list-unsubscribe"] is None, "nobody unsubscribes from codes")
    code = next(word for word in mail.get_content().split() if len(word) == 11 and word[5] == "-")
    check(code not in pavise.said() and address not in pavise.said(), "the log has neither code nor address")


def unsubscription(pavise, mails):
    """One request unsubscribes from a kind of mail (RFC 8058), and no further one goes out."""
    first = pavise.send("bob@example.com")
    [mail] = wait_for("a mail", lambda: mails.to("bob@example.com"))
    wait_for("its status", lambda: pavise.status(first)[0] == "PROCESSED")
    check(mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click", "one request unsubscribes")
    link = "".join(mail["list-unsubscribe"].split()).strip("<>")
    check(link.startswith(pavise.url), f"the link leads to the platform: {link}")
    pavise.ask("POST", link, b"List-Unsubscribe=One-Click", kind="application/x-www-form-urlencoded")
    second = pavise.send("bob@example.com")
    wait_for("the end of the second", lambda: pavise.status(second)[0] == "DROPPED")
    check(len(mails.to("bob@example.com")) == 1, "nothing more goes to who unsubscribed")


def second_try(pavise, mails):
    """A mail that is not taken at first is tried again, as the same one."""
    mails.refuses.add("cid@example.com")
    sent = pavise.send("cid@example.com")
    wait_for("the first try", lambda: [to for to, _ in mails.tries if to == "cid@example.com"])
    check(not mails.to("cid@example.com"), "the first try was refused")
    wait_for("the second try", lambda: mails.to("cid@example.com"), LATER)
    ids = {message for to, message in mails.tries if to == "cid@example.com"}
    check(ids == {f"<{sent}@pavise.example>"}, f"both tries have one Message-ID: {ids}")
    wait_for("its status", lambda: pavise.status(sent)[0] == "PROCESSED")


class Letters:
    """Codes of a platform of two processes over one database: one writes the notices, the other sends them. Each is killed."""

    COMMITTED, HANDED_OVER = "eve@example.com", "fay@example.com"

    def __init__(self, binary, folder, smtp, postgres, mails):
        self.postgres, self.mails, database = postgres, mails, postgres.url
        ports = [free_port(), free_port()]
        peers = {"PAVISE_PEERS": f"http://127.0.0.1:{ports[0]},messaging=http://127.0.0.1:{ports[1]}"}
        self.start_writer = lambda: Pavise(binary, folder, None, ports[0], database, {"PAVISE_EXCEPT": "messaging", **peers})
        self.start_sender = lambda: Pavise(binary, folder, smtp, ports[1], database, {"PAVISE_ONLY": "messaging", **peers})
        self.writer, self.sender, self.readers = None, None, {}

    def begin(self):
        self.writer = self.start_writer()
        self.readers = {address: self.reader(address) for address in (self.COMMITTED, self.HANDED_OVER)}

    def reader(self, address):
        """A member whose profile says fr-CA."""
        body = {"realm": "User", "emails": [address], "password": "correct horse battery"}
        made = self.writer.ask("POST", "/v1/identities", body, self.writer.token)["id"]

        def set_locale():
            try:
                path = f"/v1/identities/{made}/profile/updateLocale"
                return self.writer.ask("POST", path, {"locale": "fr-CA"}, self.writer.token)
            except urllib.error.HTTPError:
                return None

        wait_for("a profile", set_locale)
        return made

    def ask_for_code(self, address):
        # The profile's language counts, and not the page's.
        self.writer.ask("POST", "/v1/sendPasswordResetEmail", {"email": address, "locale": "en-US"}, self.writer.token)

    def kill_after_commit(self):
        """The notice is written. Nobody sends yet."""
        self.ask_for_code(self.COMMITTED)
        written = lambda: self.postgres.ask("SELECT count(*) FROM notices WHERE status = 'PENDING'") == "1"
        wait_for("a notice", written)
        self.writer.kill()
        self.writer, self.sender = self.start_writer(), self.start_sender()
        # What is in flight when the sender is killed goes twice: this one is not.
        self.wait_for_end(self.COMMITTED)

    def sent_to(self, address):
        path = f"/v1/identities/{self.readers[address]}/notifications"
        try:
            return self.writer.ask("GET", path, token=self.writer.token).get("notifications", [])
        except urllib.error.HTTPError:
            # The sender has just begun.
            return []

    def wait_for_end(self, address):
        ended = lambda: [one["status"] for one in self.sent_to(address)] == ["PROCESSED"]
        wait_for(f"one message to {address}, and its end", ended, LATER)

    def kill_after_hand_over(self):
        """The mail server has the mail; its sender never learns it, and tries again a minute later."""
        self.mails.at_hand_over[self.HANDED_OVER] = self.sender.process.kill
        self.ask_for_code(self.HANDED_OVER)
        wait_for("the end of the sender", lambda: self.sender.process.poll() is not None)
        self.sender = self.start_sender()

    def finish(self):
        """Each reader has one message, however often it was handed over."""
        for address, times in ((self.COMMITTED, 1), (self.HANDED_OVER, 2)):
            self.wait_for_end(address)
            mails = self.mails.to(address)
            check(len(mails) == times, f"{address} has {len(mails)} mails, {times} are asked for")
            ids = {mail["message-id"] for mail in mails}
            sent = self.sent_to(address)[0]["id"]
            check(ids == {f"<{sent}@pavise.example>"}, f"one Message-ID, that of the notification: {ids}")
            check({mail["subject"] for mail in mails} == {"Choisissez un nouveau mot de passe"}, "it is in the reader's language")
            for part in (self.writer, self.sender):
                check(address not in part.said(), "the log has no address")

    def stop(self):
        for part in filter(None, (self.writer, self.sender)):
            part.stop()


def nothing_in_clear(binary, folder):
    """To a mail server without STARTTLS nothing is said: no password, no mail."""
    mails = Mails()
    plain = Controller(mails, hostname="127.0.0.1", port=free_port())
    plain.start()
    nothing_is_mailed(binary, folder, f"smtp://{USER}:a%20password%20for%20mails@localhost:{plain.port}?tls=required")
    check(not mails.tries, "nothing is mailed in clear")
    plain.stop()


def nothing_is_mailed(binary, folder, smtp):
    """A mail that the server does not take waits, and the log says nothing of it."""
    pavise = Pavise(binary, folder, smtp)
    sent = pavise.send("dan@example.com")
    tried = lambda: pavise.ask("GET", f"/v1/notifications/{sent}", token=pavise.token).get("attempts", [])
    [attempt] = wait_for("a try", lambda: [one for one in tried() if one.get("settledAt")])
    check(attempt.get("failure"), "it failed")
    check(pavise.status(sent)[0] == "PENDING", "it is tried again")
    check("password" not in pavise.said() and "dan@" not in pavise.said(), "the log has neither password nor address")
    pavise.stop()


def many(pavise, mails, count):
    """So many mails within a minute."""
    began, before = time.monotonic(), len(mails.taken)
    for start in range(0, count, 50):
        to = [f"many{number}@example.com" for number in range(start, min(start + 50, count))]
        body = {"recipients": to, "subject": "Hello", "text": "Hello.", "category": "ACCOUNT"}
        pavise.ask("POST", "/v1/sendEmail", body, pavise.token)
    wait_for(f"{count} mails", lambda: len(mails.taken) - before >= count, 600)
    seconds = time.monotonic() - began
    ids = [message for to, message in mails.tries if to.startswith("many")]
    check(len(ids) == len(set(ids)), "each is mailed once")
    print(f"{count} mails in {seconds:.0f} s")
    check(seconds <= 60, "they take a minute at most")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        context, mails = certificates(folder), Mails()
        signed_in = {"authenticator": sign_in, "auth_required": True, "auth_require_tls": True}
        server = Controller(
            mails, hostname="127.0.0.1", port=free_port(), tls_context=context, require_starttls=True, **signed_in
        )
        server.start()
        smtp = f"smtp://{USER}:a%20password%20for%20mails@localhost:{server.port}?tls=required"
        pavise, postgres = Pavise(arguments.binary, folder, smtp), Postgres()
        letters = Letters(arguments.binary, folder, smtp, postgres, mails)
        try:
            letters.begin()
            letters.kill_after_commit()
            letters.kill_after_hand_over()
            code_of("ada@example.com", pavise, mails)
            unsubscription(pavise, mails)
            second_try(pavise, mails)
            letters.finish()
            letters.stop()
            if arguments.long:
                many(pavise, mails, 10_000)
            nothing_in_clear(arguments.binary, folder)
            wrong = f"smtp://{USER}:a%20wrong%20password@localhost:{server.port}?tls=required"
            nothing_is_mailed(arguments.binary, folder, wrong)
        finally:
            letters.stop()
            pavise.stop()
            postgres.stop()
            server.stop()
        ids = [message for _, message in mails.tries]
        print(f"{len(mails.taken)} mails taken in {len(ids)} tries, over TLS, after a sign-in; {len(set(ids))} Message-IDs")


if __name__ == "__main__":
    main()
