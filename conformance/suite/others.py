"""The transcoders beside ours: started by what the benchmarks start them with, set up as their manuals recommend."""

import os
import re
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(HERE, "../benches"))
from harness import machine, peers  # noqa: E402

SERVICE = "transcoding.conformance.v1.SuiteService"
PROTOS = tuple(f"transcoding/conformance/v1/{name}.proto" for name in ("messages", "suite_service"))
# Rules with which Envoy does not start and grpc-gateway's generator does not end: they run without these calls, whose
# cases they fail. Envoy: "response_body is not supported yet for non-HttpBody fields". grpc-gateway: "repeated field not
# allowed in field path".
ENVOY_REFUSES = ("GetNode", "GetTags", "GetLabels", "GetOther", "GetNumber", "GetTime", "GetDocument", "StreamNodes")
GATEWAY_REFUSES = ("PutTags", "PutNodes", "PutLabels", "GetTags", "GetLabels")

ENVOY_OPTIONS = {
    # Refusals carry the service's details, as JSON.
    "convert_grpc_status": True,
    # An unknown call is refused and not forwarded.
    "request_validation_options": {"reject_unknown_method": True},
    # The specification decodes all in one segment and all but the slash in several; this is the nearest that there is.
    "url_unescape_spec": "ALL_CHARACTERS_EXCEPT_SLASH",
    # A plus in a query is a space, as forms send it.
    "query_param_unescape_plus": True,
}


def envoy(folder, cache, service):
    """Envoy before the service."""
    program = machine.install(cache)
    source, descriptors = rewritten(os.path.join(cache, "suite-envoy"), ENVOY_REFUSES), os.path.join(folder, "envoy.binpb")
    includes = (source, os.path.join(ROOT, "proto"), os.path.join(ROOT, "web/packages/schema/proto"))
    command = ["protoc", *(f"-I{include}" for include in includes), "--include_imports", f"--descriptor_set_out={descriptors}"]
    machine.run([*command, *PROTOS, "google/rpc/error_details.proto"])
    return peers.envoy(program, folder, service, descriptors, [SERVICE], **ENVOY_OPTIONS)


def gateway(folder, cache, service):
    """grpc-gateway before the service. Its generator does not know `optional`, which is left out."""
    machine.install(cache)
    source = rewritten(os.path.join(cache, "suite"), GATEWAY_REFUSES, lambda text: re.sub(r"^  optional ", "  ", text, flags=re.M))
    return peers.gateway(folder, cache, service, source, PROTOS, "suite-gateway")


def rewritten(place, refused, change=lambda text: text):
    """The suite's protos without the calls that are refused."""
    for file in (*(f"proto/{proto}" for proto in PROTOS), "peers/gateway/main.go"):
        with open(os.path.join(HERE, file), encoding="utf-8") as source:
            text = change(source.read())
        for name in refused:
            text = re.sub(rf"  rpc {name}\(.*?\n  }}\n", "", text, flags=re.S)
        target = os.path.join(place, file.removeprefix("proto/").removeprefix("peers/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(target, encoding="utf-8").read() != text:
            with open(target, "w", encoding="utf-8") as out:
                out.write(text)
    return place
