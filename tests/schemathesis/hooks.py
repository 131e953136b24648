"""Who calls what, and how long a journal may wait: what the document cannot say to Schemathesis."""

import json
import os
import re
import urllib.request

import schemathesis

API = os.environ["PAVISE"]
SIGN_INS = json.loads(os.environ["PAVISE_SIGN_INS"])
MACHINE = os.environ["PAVISE_MACHINE_TOKEN"]


def sign_in(realm):
    """A fresh token of the demonstration's sign-in of that realm."""
    body = json.dumps(SIGN_INS[realm]).encode()
    request = urllib.request.Request(f"{API}/v1/tokens", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["accessToken"]


def caller(case, context):
    """The first realm that the contract admits, of those that may do everything before those that are one member."""
    realms = case.operation.definition.raw.get("x-realms", [])
    for realm in ("Machine", "Internal", "User"):
        if realm in realms and (realm == "Machine" or realm in SIGN_INS):
            return realm
    return "Machine"


@schemathesis.auth(cache_by_key=caller)
class Caller:
    """A token per realm; one that a call has ended is fetched anew."""

    def get(self, case, context):
        realm = caller(case, context)
        return MACHINE if realm == "Machine" else sign_in(realm)

    def set(self, case, data, context):
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
    waits for no time at all."""
    wait = (case.query or {}).get("wait")
    if str(wait).isdigit() and 1 < int(wait) <= 25:
        case.query["wait"] = 1
    for name in case.headers or {}:
        if name.lower() == "request-timeout" and 0 <= seconds(case.headers[name]) < 30:
            case.headers[name] = "30"


@schemathesis.hook
def filter_case(context, case):
    """What arrives and is no violation of the document: HTTP has servers pass over headers that they do not know (RFC 9110
    §5.1), the least length of a key is for callers without a token, which nobody is here, and who would wait longer than the
    document says is answered too."""
    declared = {parameter.name.lower(): parameter for parameter in case.operation.headers}
    usual = {"authorization", "content-type", "accept", "cookie", "user-agent"}
    for name, value in (case.headers or {}).items():
        parameter = declared.get(name.lower())
        if parameter is None and name.lower() not in usual:
            return False
        if name.lower() == "request-timeout" and seconds(value) > parameter.definition["schema"]["maximum"]:
            return False
        if name.lower() == "idempotency-key" and len(str(value)) < parameter.definition["schema"]["minLength"] and str(value):
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
