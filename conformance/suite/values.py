"""Compares JSON as the values of protobuf messages that it is.

Two differences of text are none: a field without presence that is at its default may stand there or not, and a number
may be written with other digits as long as it is the same double, or the same float where the field is one."""

import re
import struct

WRAPPERS = {f"google.protobuf.{name}Value": kind for name, kind in {
    "Double": "double", "Float": "float", "Int64": "int64", "UInt64": "uint64", "Int32": "int32", "UInt32": "uint32",
    "Bool": "bool", "String": "string", "Bytes": "bytes",
}.items()}
PLAIN = ("google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue")
TEXT = ("google.protobuf.Timestamp", "google.protobuf.Duration", "google.protobuf.FieldMask")
LONG = ("int64", "uint64", "sint64", "fixed64", "sfixed64")
MISSING = object()


class Difference:
    """Where two values differ, and how: `kind` is `value`, or the name of a spelling that may be documented."""

    def __init__(self, path, kind, expected, actual):
        self.path, self.kind, self.expected, self.actual = path, kind, expected, actual

    def __str__(self):
        def shown(value):
            return "nothing" if value is MISSING else cut(repr(value))

        return f"{self.path or 'the answer'}: {shown(self.actual)} instead of {shown(self.expected)}"


def cut(text, length=120):
    return text if len(text) <= length else text[: length - 1] + "…"


class Values:
    """Compares by the descriptors that the suite's program tells of."""

    def __init__(self, described):
        self.messages, self.enums, self.calls = described["messages"], described["enums"], described["calls"]

    def message(self, name, expected, actual, path=""):
        """The differences of two messages of that full name."""
        if name in PLAIN:
            return [] if same_json(expected, actual) else [Difference(path, "value", expected, actual)]
        if name in TEXT:
            mask = name.endswith("FieldMask") and str(expected).lower() == str(actual).lower()
            return [] if expected == actual else [Difference(path, "mask" if mask else "value", expected, actual)]
        if name in WRAPPERS:
            return self.scalar({"kind": WRAPPERS[name]}, expected, actual, path)
        if not isinstance(expected, dict) or not isinstance(actual, dict):
            return [Difference(path, "value", expected, actual)]
        if name == "google.protobuf.Any":
            return self.any(expected, actual, path)
        return self.fields(name, expected, actual, path)

    def any(self, expected, actual, path):
        if expected.get("@type") != actual.get("@type"):
            return [Difference(f"{path}.@type", "value", expected.get("@type"), actual.get("@type"))]
        if "@type" not in expected:
            return [] if expected == actual else [Difference(path, "value", expected, actual)]
        name = expected["@type"].rsplit("/", 1)[-1]
        ours, theirs = ({key: value for key, value in one.items() if key != "@type"} for one in (expected, actual))
        if name in (*PLAIN, *TEXT, *WRAPPERS, "google.protobuf.Any", "google.protobuf.Empty"):
            if name == "google.protobuf.Empty":
                ours.setdefault("value", {}), theirs.setdefault("value", {})
            if set(ours) != {"value"} or set(theirs) != {"value"}:
                return [Difference(path, "value", expected, actual)]
            return self.message(name, ours["value"], theirs["value"], f"{path}.value")
        return self.fields(name, ours, theirs, path)

    def fields(self, name, expected, actual, path):
        fields, found = self.messages.get(name, {}), []
        for key in [*expected, *(key for key in actual if key not in expected)]:
            below = f"{path}.{key}" if path else key
            field = fields.get(key)
            left, right = expected.get(key, MISSING), actual.get(key, MISSING)
            if field is None:
                found.append(Difference(below, "value", left, right))
            elif left is MISSING or right is MISSING:
                if not self.is_default(field, right if left is MISSING else left):
                    found.append(Difference(below, self.missing(field, left), left, right))
            else:
                found += self.field(field, left, right, below)
        return found

    def missing(self, field, expected):
        """A value of an enumeration that says that nothing is said, left out where the field has presence."""
        zero = field["kind"] == "enum" and self.enums[field["type"]].get(expected) == 0
        return "unspecified" if zero and str(expected).endswith("_UNSPECIFIED") else "value"

    def is_default(self, field, value):
        if field.get("map"):
            return value == {}
        if field.get("list"):
            return value == []
        if field.get("presence"):
            return False
        if field["kind"] == "enum":
            if field["type"] == "google.protobuf.NullValue":
                return value is None
            return self.enums[field["type"]].get(value) == 0
        default = {"bool": False, "string": "", "bytes": ""}.get(field["kind"], "0" if field["kind"] in LONG else 0)
        minus_zero = isinstance(value, float) and str(value).startswith("-")
        return value == default and isinstance(value, bool) == isinstance(default, bool) and not minus_zero

    def field(self, field, expected, actual, path):
        if field.get("map"):
            if not isinstance(expected, dict) or not isinstance(actual, dict) or set(expected) != set(actual):
                return [Difference(path, "value", expected, actual)]
            return [one for key in expected for one in self.value(field, expected[key], actual[key], f"{path}[{key!r}]")]
        if field.get("list"):
            if not isinstance(expected, list) or not isinstance(actual, list) or len(expected) != len(actual):
                return [Difference(path, "value", expected, actual)]
            pairs = enumerate(zip(expected, actual))
            return [one for at, pair in pairs for one in self.value(field, *pair, f"{path}[{at}]")]
        return self.value(field, expected, actual, path)

    def value(self, field, expected, actual, path):
        if field["kind"] == "message":
            return self.message(field["type"], expected, actual, path)
        return self.scalar(field, expected, actual, path)

    def scalar(self, field, expected, actual, path):
        if isinstance(expected, bool) != isinstance(actual, bool) or isinstance(expected, str) != isinstance(actual, str):
            return [Difference(path, "value", expected, actual)]
        if field["kind"] == "enum" and expected != actual:
            short = isinstance(expected, str) and expected.removeprefix(prefix(field["type"]))
            return [Difference(path, "enumeration" if actual == short else "value", expected, actual)]
        if field["kind"] == "float" and is_number(expected) and is_number(actual):
            return [] if narrow(expected) == narrow(actual) else [Difference(path, "value", expected, actual)]
        if field["kind"] == "double" and is_number(expected) and is_number(actual):
            same = same_double(expected, actual)
            return [] if same else [Difference(path, "value", expected, actual)]
        same = expected == actual and str(expected).startswith("-") == str(actual).startswith("-")
        return [] if same else [Difference(path, "value", expected, actual)]


def prefix(enumeration):
    """What style guides put before the values of an enumeration: `OrderStatus` gives `ORDER_STATUS_`."""
    name = enumeration.rsplit(".", 1)[-1]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper() + "_"


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same_double(one, other):
    """Whether two numbers are the same double, whatever their digits; minus zero is another than zero."""
    try:
        return struct.pack("d", one) == struct.pack("d", other)
    except OverflowError:
        return False


def narrow(value):
    """The float that a number is."""
    try:
        return struct.pack("f", value)
    except OverflowError:
        return None


def same_json(one, other):
    """Whether two JSON values are the same; 1 and 1.0 are."""
    if isinstance(one, dict) and isinstance(other, dict):
        return set(one) == set(other) and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same_json(*pair) for pair in zip(one, other))
    if is_number(one) and is_number(other):
        return same_double(one, other)
    return type(one) is type(other) and one == other
