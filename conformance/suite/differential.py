"""Random messages through our facade and through Envoy, before one service.

Each message goes out as canonical JSON and comes back by way of the service, which writes down what it received. So
both are compared: the messages that were read, and the JSON that was written of the same one."""

import collections
import json
import subprocess

from . import http, values
from .others import machine

MESSAGE = "transcoding.conformance.v1.Message"
TARGET = "/v1/messages"
HEADERS = [("Content-Type", "application/json")]
# The differences that docs/rest.md documents.
DOCUMENTED = {
    "enumeration": "a value of an enumeration without the enumeration's prefix",
    "unspecified": "an enumeration of which nothing is said left out, where the field has presence",
    "mask": "a path such as aBC in a field mask, which Envoy reads as a_bc and ours as a_b_c",
    "list": "a ListValue in an Any, which Envoy refuses and ours reads",
}
REFUSED = {"Cannot start root message with ListValue": "list"}
SHOWN = 5


class Tally:
    """What was found."""

    def __init__(self, compare):
        self.compare, self.documented, self.others = compare, collections.Counter(), []
        self.messages = self.bytes = self.differing = 0

    def add(self, number, sent, ours, theirs, received):
        """One message: both answers, and what the service received of both."""
        known = next((kind for text, kind in REFUSED.items() if theirs.status == 400 and text in theirs.text()), None)
        problems = []
        for name, answer in (("Pavise", ours), ("Envoy", theirs)):
            if answer.status != 200 and not (known and answer is theirs):
                problems.append(f"{name} refuses it: {answer.status} {values.cut(answer.text(), 200)}")
        if not problems:
            self.documented[known] += known is not None
            problems = self.judge(sent, ours, theirs, received, known)
        self.messages += 1
        self.bytes += len(ours.body)
        if problems:
            self.others.append({"message": number, "problems": [str(one) for one in problems], "sent": sent})

    def judge(self, sent, ours, theirs, received, known):
        problems, spelled = [], known is not None
        if len(received) != (1 if known else 2):
            return [f"{len(received)} calls arrived"]
        for name, one in zip(("Pavise", "Envoy"), received):
            found = self.compare.message(MESSAGE, sent, one["message"])
            forgiven = ("mask",) if name == "Envoy" else ()
            problems += [f"{name}: received {two}" for two in found if two.kind not in forgiven]
        try:
            # Where Envoy has no answer, ours is compared with the canonical JSON.
            found = self.compare.message(MESSAGE, sent if known else theirs.json(), ours.json())
        except ValueError as error:
            return [*problems, f"no JSON: {error}"]
        for one in found:
            if one.kind in DOCUMENTED:
                self.documented[one.kind] += 1
                spelled = True
            else:
                problems.append(f"written: {one}")
        self.differing += spelled
        return problems


def run(stage, count, seed):
    """Compares `count` messages."""
    ours = http.Connection(stage.transcoder("pavise"))
    theirs = http.Connection(stage.transcoder("envoy"))
    stage.desk.write({"echo": True})
    tally = Tally(stage.values)
    machine.say(f"{count:,} random messages, --seed {seed}")
    command = [stage.binary, "random", "--count", str(count), "--seed", str(seed)]
    made = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for number, line in enumerate(made.stdout):
        sent = json.loads(line)["json"]
        body = json.dumps(sent, ensure_ascii=False).encode()
        answers = [one.ask("POST", TARGET, HEADERS, body) for one in (ours, theirs)]
        tally.add(number, sent, *answers, stage.desk.received())
        if number % 1000 == 999:
            machine.say(f"{number + 1:,}: {len(tally.others)} differ otherwise than documented")
    if made.wait():
        raise SystemExit("the messages were not made")
    return tally


def lines(tally, seed):
    """What was found, in lines."""
    yield f"{tally.messages:,} random messages, {tally.bytes / 2**20:.1f} MiB of JSON, `--seed {seed}`:"
    yield f"- {tally.messages - len(tally.others):,} are read as the same message and written as the same JSON,"
    yield f"  {tally.differing:,} of them but for what is documented;"
    yield f"- {len(tally.others):,} differ otherwise."


def printed(tally, seed):
    """For a terminal."""
    found = list(lines(tally, seed))
    found += [f"  {tally.documented[kind]:,} × {text}" for kind, text in DOCUMENTED.items()]
    for one in tally.others[:SHOWN]:
        found += [f"message {one['message']}:"] + [f"  {values.cut(problem, 300)}" for problem in one["problems"][:4]]
    return "\n".join(found)


def page(tally, seed):
    """For docs/rest.md."""
    rows = [f"| {tally.documented[kind]:,} | {text} |" for kind, text in DOCUMENTED.items() if tally.documented[kind]]
    return "\n".join([*lines(tally, seed), "", "| times | what is documented |", "| ---: | --- |", *rows])


def told(tally, seed):
    """For programs."""
    return {"seed": seed, "messages": tally.messages, "documented": tally.documented, "others": tally.others}
