"""A reader of a journal, as another system would write one: it keeps its clock and its epoch in a file.

    reader.py SERVER SERVICE FILE     reads on from where the file says; prints what it read, and what it was told

The token is taken from PAVISE_TOKEN. What it has read is in the file, so that two runs can be compared.
"""

import json
import os
import sys
import urllib.error
import urllib.request


def ask(path):
    request = urllib.request.Request(server + path, headers={"authorization": "Bearer " + os.environ["PAVISE_TOKEN"]})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer), None
    except urllib.error.HTTPError as error:
        return None, json.load(error)


server, service, file = sys.argv[1:]
kept = {"clock": 0, "epoch": "", "entries": {}}
if os.path.exists(file):
    with open(file) as known:
        kept = json.load(known)
told = False
while True:
    page, refusal = ask(f"/v1/{service}/journal?limit=1000&clock={kept['clock']}&epoch={kept['epoch']}")
    if refusal:
        info = refusal["details"][0]
        if told or info["reason"] != "JOURNAL_EPOCH_CHANGED":
            sys.exit(f"refused: {refusal['message']}")
        told = True
        shared = min(int(info["metadata"]["clock"]), kept["clock"])
        gone = [clock for clock in kept["entries"] if int(clock) > shared]
        print(f"told that the journal was restored: {len(gone)} entries above {shared} are gone")
        for clock in gone:
            del kept["entries"][clock]
        kept.update(clock=shared, epoch=info["metadata"]["epoch"])
        continue
    kept.update(clock=int(page["clock"]), epoch=page["epoch"])
    for entry in page["entries"]:
        kept["entries"][entry["clock"]] = f"{entry['action']} {entry['entityId']} {entry['at']} {entry['ownerId']}"
    if not page["entries"]:
        break
with open(file, "w") as known:
    json.dump(kept, known)
print(f"stands at {kept['clock']} in epoch {kept['epoch'][:8]}, {len(kept['entries'])} entries read")
