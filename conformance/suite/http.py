"""Requests as they are written, byte for byte: no library in between that would mend them."""

import http.client
import json
import socket


class Answer:
    """What came back."""

    def __init__(self, status, headers, body, broken):
        self.status, self.headers, self.body, self.broken = status, headers, body, broken

    def text(self):
        return self.body.decode("utf-8", "replace")

    def json(self):
        """The body as JSON; raises ValueError where it is none."""
        return parse(self.body.decode("utf-8"))


def parse(text):
    """JSON whose objects name each key once, and whose numbers are numbers."""

    def pairs(found):
        if len(dict(found)) != len(found):
            raise ValueError("a key stands twice in an object")
        return dict(found)

    def constant(word):
        raise ValueError(f"{word} is no JSON")

    def whole(digits):
        return -0.0 if digits == "-0" else int(digits)

    return json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_int=whole)


class Connection:
    """One connection to an address, opened again when it is lost."""

    def __init__(self, address, seconds=10):
        host, number = address.rsplit(":", 1)
        self.address, self.place, self.seconds, self.socket = address, (host, int(number)), seconds, None

    def close(self):
        if self.socket:
            self.socket.close()
            self.socket = None

    def ask(self, verb, target, headers=(), body=b""):
        """Sends a request. The target goes out as it is, one byte a character."""
        lines = [f"{verb} {target} HTTP/1.1".encode("latin-1"), f"Host: {self.address}".encode()]
        lines += [f"{name}: {value}".encode("latin-1") for name, value in headers]
        if body or verb in ("POST", "PUT", "PATCH"):
            lines.append(f"Content-Length: {len(body)}".encode())
        try:
            if self.socket is None:
                self.socket = socket.create_connection(self.place, self.seconds)
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
            response = http.client.HTTPResponse(self.socket, method=verb)
            response.begin()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return Answer(0, {}, str(error).encode(), True)
        broken, content = False, b""
        try:
            content = response.read()
        except http.client.IncompleteRead as error:
            broken, content = True, error.partial
        except OSError:
            broken = True
        found = Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, content, broken)
        if broken or response.will_close:
            self.close()
        return found


def listens(address):
    """Whether anybody is there."""
    host, number = address.rsplit(":", 1)
    try:
        socket.create_connection((host, int(number)), 1).close()
        return True
    except OSError:
        return False


def once(address, verb, target, headers=(), body=b""):
    """One request on a connection of its own."""
    connection = Connection(address)
    try:
        return connection.ask(verb, target, headers, body)
    finally:
        connection.close()
