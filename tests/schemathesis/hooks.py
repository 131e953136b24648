"""Who calls what, with which of the ids that there are: what the document cannot say to Schemathesis."""

import ast
import base64
import collections
import contextlib
import itertools
import json
import os
import re
import threading
import urllib.error
import urllib.request
import uuid

import schemathesis

API = os.environ["PAVISE"]
SIGN_INS = json.loads(os.environ["PAVISE_SIGN_INS"])
MACHINE = os.environ["PAVISE_MACHINE_TOKEN"]

# Two threads that read Python at once may end in a SystemError (python/cpython#106905): Hypothesis reads lambdas.
parse, one_at_a_time = ast.parse, threading.RLock()


def parse_alone(*arguments, **named):
    with one_at_a_time:
        return parse(*arguments, **named)


ast.parse = parse_alone


def answer(path, body):
    """What a POST without a token answers."""
    request = urllib.request.Request(f"{API}{path}", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as found:
        return json.load(found)


class Caller:
    """Who calls: a fresh token of it, and for a member whose it is."""

    def __init__(self, realm):
        """The demonstration's sign-in of that realm, or a new member where a call has ended that one."""
        sign_in = SIGN_INS[realm]
        try:
            self.token = answer("/v1/tokens", sign_in)["accessToken"]
        except urllib.error.HTTPError:
            if realm != "User":
                raise
            sign_in = {"email": f"{uuid.uuid4()}@example.com", "password": sign_in["password"]}
            answer("/v1/identities", {"realm": realm, "emails": [sign_in["email"]], "password": sign_in["password"]})
            self.token = answer("/v1/tokens", sign_in)["accessToken"]
        claims = self.token.split(".")[1]
        self.identity = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]


# The realms by turns, for each operation on its own: those that may do everything come first, a member is asked for where one
# may call at all, and nobody where that is right; elsewhere once, as the checks ask without a token whatever succeeds.
EVERYTHING, A_MEMBER = ("Machine", "Internal", "User"), ("User", "Internal", "Machine")
TURNS = (EVERYTHING, A_MEMBER, EVERYTHING, ())
SEED = int(os.environ["PAVISE_SEED"])
turns, callers, counter = collections.Counter(), {}, itertools.count(1)
members = {realm: Caller(realm) for realm in SIGN_INS}
# The parameters of paths that go together, by their names: where links led so far.
known = {frozenset(["identityId"]): [{"identityId": members["User"].identity}]}


def caller(case, context=None):
    """The realm that calls: None is nobody. The same for a case whenever it is asked for."""
    if case.id not in callers:
        callers[case.id] = turn(case)
    return callers[case.id]


def turn(case):
    """The next realm of the operation, of those that the contract admits."""
    raw = case.operation.definition.raw
    if short_key(case):
        return None
    preferred = EVERYTHING
    # A sequence of calls is one caller's.
    if phase(case) != "stateful":
        number = turns[case.operation.label]
        turns[case.operation.label] += 1
        preferred = TURNS[(SEED - 1 + number) % len(TURNS)]
        if not preferred and (raw.get("x-public") or number < len(TURNS)):
            return None
    return next((realm for realm in preferred or EVERYTHING if realm in raw.get("x-realms", [])), "Machine")


def phase(case):
    """Which phase made the case; nothing for one that a check made."""
    return case.meta and case.meta.phase.name.value


def short_key(case):
    """Whether the idempotency key is shorter than is asked of callers without a token."""
    least = {one.name.lower(): one.definition["schema"].get("minLength", 0) for one in case.operation.headers}
    given = {name.lower(): str(value) for name, value in (case.headers or {}).items()}
    return 0 < len(given.get("idempotency-key", "")) < least.get("idempotency-key", 0)


@schemathesis.auth(cache_by_key=caller)
class Callers:
    """A token per realm; one that a call has ended is fetched anew, and stays where too many were wrong before: 401 is right."""

    def get(self, case, context):
        realm = caller(case)
        if realm in (None, "Machine"):
            return realm and MACHINE
        with contextlib.suppress(urllib.error.HTTPError):
            members[realm] = Caller(realm)
        return members[realm].token

    def set(self, case, data, context):
        if data:
            case.headers = case.headers or {}
            case.headers["Authorization"] = f"Bearer {data}"


def seconds(text):
    """A number of seconds, or less than none."""
    try:
        return float(text)
    except ValueError:
        return -1


@schemathesis.hook
def before_call(context, case, **kwargs):
    """A journal that waits for half a minute is right, and tests nothing that a second does not test; nor does a caller who
    waits for hardly any time."""
    wait = (case.query or {}).get("wait")
    if str(wait).isdigit() and 1 < int(wait) <= 25:
        case.query["wait"] = 1
    for name in case.headers or {}:
        if name.lower() == "request-timeout" and 0 < seconds(case.headers[name]) < 30:
            case.headers[name] = "30"
    if case.method.upper() == "DELETE":
        # A deletion that only validates deletes nothing, and the check of what is deleted takes it for one.
        for name in [name for name in case.headers or {} if name.lower() == "pavise-validate-only"]:
            case.headers.pop(name)
    if caller(case) is None and case.headers:
        case.headers.pop("Authorization", None)
        # Only reads with a token wait for a clock.
        for name in [name for name in case.headers if name.lower() == "min-clock"]:
            case.headers.pop(name)
    if case.meta is not None and case.meta.generation.mode.is_positive:
        make_possible(case)
    # All come from one address, and so many are refused for that. The server trusts this one to name another.
    case.headers = case.headers or {}
    case.headers["X-Forwarded-For"] = f"10.{next(counter) % 250}.{next(counter) % 250}.{next(counter) % 250}"


def make_possible(case):
    """What is valid is to get as far as the call itself. A key is another request's only where it stands for itself, and a member
    asks for what is its own. What is made up, and sequences, ask for what is there, and for no clock, version or new id that
    could not be had."""
    made_up, path = phase(case) in ("fuzzing", "stateful"), case.path_parameters or {}
    for name, value in list((case.headers or {}).items()):
        if name.lower() == "idempotency-key" and len(str(value)) >= 16:
            case.headers[name] = f"{str(value)[:-7]}{next(counter):07}"
        if name.lower() in ("min-clock", "if-match") and made_up:
            del case.headers[name]
    if made_up:
        if case.method == "POST":
            (case.query or {}).pop("id", None)
        there = known.get(frozenset(path), [])
        if there and path not in there:
            case.path_parameters = dict(there[next(counter) % len(there)])
    elif caller(case) == "User" and "identityId" in path:
        path["identityId"] = members["User"].identity


@schemathesis.hook
def after_call(context, case, response):
    """Keeps what the links of an answer lead to: the parameters of a path that go together."""
    said = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    for link in said.get("links", {}).values():
        values = {name: value_of(text, case, response) for name, text in link["parameters"].items()}
        there = known.setdefault(frozenset(values), [])
        if all(values.values()) and values not in there:
            there.append(values)
            del there[:-20]


def value_of(expression, case, response):
    """What an expression of a link stands for."""
    if expression.startswith("$request.path."):
        return (case.path_parameters or {}).get(expression.removeprefix("$request.path."))
    return response.json().get(expression.removeprefix("$response.body#/"))


@schemathesis.hook
def filter_case(context, case):
    """What arrives and is no violation of the document: HTTP has servers pass over headers that they do not know (RFC 9110
    §5.1), and who would wait longer than the document says is answered too."""
    declared = {parameter.name.lower(): parameter for parameter in case.operation.headers}
    usual = {"authorization", "content-type", "accept", "cookie", "user-agent"}
    for name, value in (case.headers or {}).items():
        parameter = declared.get(name.lower())
        if parameter is None and name.lower() not in usual:
            return False
        if name.lower() == "request-timeout" and seconds(value) > parameter.definition["schema"]["maximum"]:
            return False
    return True


# What the facade and the validation say of a value that breaks a rule which the document states. Other INVALID_FIELDs speak of
# the data: of two fields that do not go together, or of an id that a call does not know. How large an amount has to be is said
# in words: Money has one schema for all calls.
RULES = re.compile(
    r"^(must be (an? |true|at (?!least one minor unit)|between|base64|greater|less|one of)|must (match|have|contain)|must not hold the NUL|is not one of"
    r"|is required$|value (is|must|length)|is given twice|cannot be given together)"
)
# These are never an answer to what the document admits.
NEVER = {"UNKNOWN_FIELD", "MALFORMED_JSON", "MALFORMED_PATH", "INVALID_METADATA", "UNSUPPORTED_MEDIA_TYPE", "BODY_TOO_LARGE"}


@schemathesis.check
def what_the_document_admits_breaks_no_rule(context, response, case):
    """A 400 to a valid request is about the data, never about the shape of the request."""
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    details = response.json().get("details", [])
    reasons = {detail["reason"] for detail in details if "reason" in detail}
    assert not reasons & NEVER, f"the document admits what the server refuses: {response.text}"
    # A domain's own reason is policy, which the document lists by its name: which passwords are allowed, say.
    if reasons != {"INVALID_FIELD"}:
        return
    for violation in (one for detail in details for one in detail.get("fieldViolations", [])):
        assert not RULES.match(violation["description"]), f"the document does not say this rule: {violation}"


@schemathesis.check
def the_reason_is_documented(context, response, case):
    """Each refusal has the one shape, and a reason that the document lists for this call."""
    if response.status_code < 400 or response.status_code == 405:
        return
    found = [detail["reason"] for detail in response.json().get("details", []) if "reason" in detail]
    assert len(found) == 1, f"a refusal has one reason: {response.text}"
    raw = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    if "$ref" in raw:
        raw = case.operation.schema.raw_schema["components"]["responses"][raw["$ref"].rsplit("/", 1)[1]]
    # A path that was made up may lead to no call, or to another one.
    assert found[0] == "ROUTE_NOT_FOUND" or found[0] in raw.get("x-reasons", []), f"{found[0]} is not listed"
