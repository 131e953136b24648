"""The cases: read from their files, asked, judged."""

import glob
import json
import os

from . import http, values

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PASSED, DOCUMENTED, FAILED = "passed", "documented", "failed"


class Case:
    """One case of a subject."""

    def __init__(self, subject, sources, told):
        self.subject, self.told, self.name = subject, told, told["name"]
        unknown = set(told) - {"name", "why", "source", "request", "service", "expect", "differs"}
        if unknown or told["source"].split("#")[0] not in sources:
            raise SystemExit(f"{subject}: {self.name} has {unknown or 'a source that is not listed'}")

    def call(self):
        """The call that is meant."""
        expect = self.told["expect"]
        return expect.get("call") or (expect.get("received") or {}).get("call")

    def request(self):
        asked = self.told["request"]
        verb, target = asked["line"].split(" ", 1)
        headers, body = list(asked.get("headers", {}).items()), b""
        if "json" in asked:
            body = json.dumps(asked["json"], ensure_ascii=False).encode()
        elif "text" in asked:
            body = asked["text"].encode()
        elif "hex" in asked:
            body = bytes.fromhex(asked["hex"])
        if body and not any(name.lower() == "content-type" for name, _ in headers):
            headers.append(("Content-Type", "application/json"))
        return verb, target, headers, body


def load(pattern=None):
    """All cases by their files' order, or those whose name or subject matches."""
    found, names = [], set()
    for file in sorted(glob.glob(os.path.join(HERE, "cases", "*.json"))):
        with open(file, encoding="utf-8") as text:
            told = http.parse(text.read())
        for one in told["cases"]:
            case = Case(told["subject"], told["sources"], one)
            if case.name in names:
                raise SystemExit(f"{file}: {case.name} is there twice")
            names.add(case.name)
            if not pattern or pattern.search(case.name) or pattern.search(case.subject):
                found.append(case)
    return found


class Desk:
    """The service's desk: what it is to answer, and what it was asked."""

    def __init__(self, address):
        self.connection = http.Connection(address)

    def write(self, script):
        headers = [("Content-Type", "application/json")]
        answer = self.connection.ask("PUT", "/script", headers, json.dumps(script).encode())
        if answer.status != 204:
            raise SystemExit(f"the service does not take the script: {answer.status} {answer.text()}")

    def received(self):
        return self.connection.ask("GET", "/received").json()


class Verdict:
    """What one transcoder made of one case."""

    def __init__(self, case, result, problems, answer, why=""):
        self.case, self.result, self.problems, self.answer, self.why = case, result, problems, answer, why


def run(case, name, address, desk, compare):
    """Asks one transcoder and judges."""
    desk.write(case.told.get("service", {}))
    answer = http.once(address, *case.request())
    received = desk.received()
    problems = judge(case.told["expect"], answer, received, compare)
    if not problems:
        return Verdict(case, PASSED, [], answer)
    differs = case.told.get("differs", {}).get(name)
    if differs and not judge(differs["expect"], answer, received, compare):
        return Verdict(case, DOCUMENTED, problems, answer, differs["why"])
    return Verdict(case, FAILED, problems, answer)


def judge(expect, answer, received, compare):
    """What is not as expected, in sentences."""
    problems = []
    wanted = expect.get("status", answer.status if expect.get("broken") else 200)
    if answer.status not in (wanted if isinstance(wanted, list) else [wanted]):
        problems.append(f"status {answer.status} instead of {wanted}")
    if "received" in expect:
        problems += judge_received(expect["received"], received, compare)
    for name, value in expect.get("headers", {}).items():
        if answer.headers.get(name) != value:
            problems.append(f"{name}: {answer.headers.get(name)} instead of {value}")
    if expect.get("empty") and answer.body.strip() not in (b"", b"{}"):
        problems.append(f"a body: {values.cut(answer.text())}")
    if expect.get("broken") and looks_whole(answer):
        problems.append(f"a stream that failed looks as if it had not: {values.cut(answer.text())}")
    call = expect.get("call") or (expect.get("received") or {}).get("call")
    try:
        if "json" in expect:
            problems += judge_json(expect, call, answer.json(), compare)
        if "stream" in expect:
            problems += judge_stream(expect, call, answer, compare)
        if "error" in expect:
            problems += judge_error(expect["error"], answer.json(), compare)
    except ValueError as error:
        problems.append(f"no JSON ({error}): {values.cut(answer.text())}")
    return problems


def judge_received(expected, received, compare):
    calls = [one["call"] for one in received]
    if expected is None:
        return [f"{calls[0]} was called with {values.cut(json.dumps(received[0]['message']))}"] if calls else []
    if calls != [expected["call"]]:
        return [f"{' and '.join(calls) or 'nothing'} was called instead of {expected['call']}"]
    problems = []
    if "message" in expected:
        name = compare.calls[expected["call"]]["input"]
        found = compare.message(name, expected["message"], received[0]["message"])
        problems += [f"received {one}" for one in found]
    for key, value in expected.get("metadata", {}).items():
        if received[0]["metadata"].get(key) != value:
            problems.append(f"received {key}: {received[0]['metadata'].get(key)} instead of {value}")
    return problems


def judge_json(expect, call, actual, compare):
    kind = expect.get("as") or compare.calls[call]["output"]
    if kind == "plain":
        same = values.same_json(expect["json"], actual)
        return [] if same else [f"answered {values.cut(json.dumps(actual))} instead of {json.dumps(expect['json'])}"]
    problems = [f"answered {one}" for one in compare.message(kind, expect["json"], actual)]
    for path in expect.get("absent", []):
        value = actual
        for key in path.split("."):
            value = value.get(key, values.MISSING) if isinstance(value, dict) else values.MISSING
        if value is not values.MISSING:
            problems.append(f"answered {path}: {value!r}, which is not set")
    return problems


def messages_of(answer):
    """The messages of a stream in any of the frames in use: an array, a value a line, events; each bare or as `result`."""
    text = answer.text().strip()
    if text.startswith("["):
        found = http.parse(text)
    else:
        lines = [line.removeprefix("data:").strip() for line in text.splitlines()]
        found = [http.parse(line) for line in lines if line and not line.startswith((":", "id:", "event:"))]
    return [one["result"] if isinstance(one, dict) and list(one) == ["result"] else one for one in found]


def judge_stream(expect, call, answer, compare):
    kind, found = expect.get("as") or compare.calls[call]["output"], messages_of(answer)
    if len(found) != len(expect["stream"]):
        return [f"{len(found)} messages instead of {len(expect['stream'])}"]
    pairs = enumerate(zip(expect["stream"], found))
    return [f"answered {one}" for at, pair in pairs for one in compare.message(kind, *pair, f"[{at}]")]


def looks_whole(answer):
    """Whether nobody who reads the answer could know that it was not to end there."""
    if answer.broken or answer.status >= 400:
        return False
    try:
        found = messages_of(answer)
    except ValueError:
        return False
    return not any(isinstance(one, dict) and ("error" in one or ("code" in one and "message" in one)) for one in found)


def judge_error(expected, actual, compare):
    """A google.rpc.Status, at the top or under `error` as AIP-193 has it; the code is that of gRPC or of HTTP."""
    status = actual.get("error", actual) if isinstance(actual, dict) else None
    if not isinstance(status, dict):
        status = actual if isinstance(actual, dict) else {}
    problems = []
    if "code" in expected and status.get("code") not in expected["code"]:
        problems.append(f"error code {status.get('code')} instead of one of {expected['code']}")
    if "message" in expected and status.get("message") != expected["message"]:
        problems.append(f"error message {status.get('message')!r} instead of {expected['message']!r}")
    for detail in expected.get("details", []):
        found = [one for one in status.get("details") or [] if isinstance(one, dict)]
        if all(compare.any(detail, one, "") for one in found):
            problems.append(f"no error detail {json.dumps(detail)}")
    return problems
