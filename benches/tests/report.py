"""The page of measurements: it is made of the figures that are kept, and names the bars that are missed."""

import copy
import json
import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "benches"))
from harness import bars, report  # noqa: E402

MADE = {"machine": "a machine", "rounds": 5, "seconds": 3.0}


def bar(name, ratio, at_least=2):
    return {
        "name": name, "title": f"work {name}", "peer": "a peer", "metric": "per_second", "ours": 100 * ratio, "theirs": 100, "ratio": ratio,
        "lowest": ratio, "highest": ratio, "at_least": at_least, "at_most": None, "met": ratio >= at_least, "rounds": [],
    }


def served(search=1.0, count=1_000_000, seconds=50.0, mails=10_000, events=3_000.0, sealed=1.0, renewals=200.0, memory=1.0, due=1.0, pdf=20.0):
    return {
        "profiles": {"sealed_us": 100 * sealed, "plain_us": 100},
        "search": {"sizes": [{"count": 10_000, "p50_us": 900, "p99_us": 1_000}, {"count": count, "p50_us": 900, "p99_us": 1_000 * search}]},
        "mails": {"count": mails, "seconds": seconds},
        "events": {"count": 20_000, "per_second": events},
        "renewals": {"count": 50_000, "seconds": 50_000 / renewals, "per_second": renewals, "before": 100.0, "after": 100.0 * memory, "billed_before": 2_000},
        "renewals_due": {"sizes": [{"count": 10_000, "p50_us": 1_000}, {"count": 1_000_000, "p50_us": 1_000 * due}]},
        "renewals_paper": {"p50_us": pdf * 1e3, "p99_us": pdf * 2e3},
    }


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def verdicts(found):
    return {one["name"]: one["met"] for one in report.domain_bars(found)}


class ReportTest(unittest.TestCase):
    def test_the_page_and_the_plot_are_made_of_the_kept_figures(self):
        kept, remarks = json.loads(read("docs/performance.json")), json.loads(read("benches/remarks.json"))
        for name, text in report.files(kept, remarks).items():
            self.assertEqual(read(f"docs/{name}"), text, f"{name}: benches/run --page makes it again")
        known = [one.name for one in bars.bars(None)]
        self.assertEqual([name for name in known if name in {one["name"] for one in kept["bars"]}], [one["name"] for one in kept["bars"]])
        for one in [*kept["bars"], *filter(None, (kept.get("growth"), kept.get("sale"))), *kept.get("domains", {}).values()]:
            self.assertTrue(one["measured"]["day"] and one["measured"]["machine"], one)

    def test_each_bar_of_the_whole_server_is_met_missed_or_not_measured(self):
        self.assertEqual(set(verdicts(served()).values()), {True})
        self.assertFalse(any("MISSED" in line for line in report.domain_lines(served())))
        for name, found in {
            "profiles": served(sealed=1.26), "search": served(search=1.51), "mails": served(seconds=60.1), "events": served(events=1_999.0),
            "renewals": served(renewals=99.9), "renewals_memory": served(memory=1.31), "renewals_due": served(due=1.51), "renewals_paper": served(pdf=30.1),
        }.items():
            self.assertEqual([one for one, met in verdicts(found).items() if met is False], [name])
            self.assertEqual([one for one in report.domain_lines(found) if "MISSED" in one], [f"- {one['line']}" for one in report.domain_bars(found) if one["name"] == name])
        # Fewer profiles and fewer mails say nothing of the bars, however long they took.
        few = verdicts(served(search=9.0, count=100_000, seconds=900.0, mails=2_000))
        self.assertEqual((few["search"], few["mails"], few["events"]), (None, None, True))

    def test_the_page_names_what_is_missed_and_only_that(self):
        kept = report.merge({}, {**MADE, "bars": [bar("one", 3)], "domains": served()}, "2026-01-02", ["one"])
        self.assertIn("Nothing: every bar that was measured is met.", report.page(kept, {}))
        slow = report.merge(kept, {**MADE, "bars": [], "domains": {"search": served(search=2.0)["search"]}}, "2026-01-02", ["one"])
        text = report.page(slow, {"search": "It reads too much."})
        self.assertNotIn("Nothing: every bar", text)
        [said] = [line for line in text.split("## What falls short")[1].splitlines() if line.startswith("- ")]
        self.assertTrue(said.startswith("- Search for a person") and "MISSED" in said and said.endswith("It reads too much."), said)

    def test_a_run_of_a_part_keeps_the_rest_and_its_day(self):
        growth = [{"count": count, "get": 100, "list": 100, "journal": 100, "write": 100, "start": 10, "memory": 30} for count in (1_000, 1_000_000)]
        sale = {"per_second": 10.0, "p50_us": 1, "p99_us": 2, "callers": 8}
        whole = {**MADE, "bars": [bar("one", 3), bar("two", 4)], "growth": growth, "sale": sale, "domains": served()}
        kept = report.merge({}, whole, "2026-01-02", ["one", "two"])
        before = copy.deepcopy(kept)
        part = {**MADE, "machine": "another machine", "bars": [bar("two", 5), bar("new", 2)], "domains": {"mails": served(seconds=55.0)["mails"]}}
        merged = report.merge(kept, part, "2026-03-04", ["new", "one", "two"])
        self.assertEqual(kept, before, "what was kept is not changed in place")
        self.assertEqual([(one["name"], one["ratio"], one["measured"]["day"]) for one in merged["bars"]],
                         [("new", 2, "2026-03-04"), ("one", 3, "2026-01-02"), ("two", 5, "2026-03-04")])
        self.assertEqual((merged["growth"], merged["sale"], merged["domains"]["search"]), (kept["growth"], kept["sale"], kept["domains"]["search"]))
        self.assertEqual(merged["domains"]["mails"]["measured"], {"day": "2026-03-04", "machine": "another machine"})
        # A comparison that there is no more is on no page.
        self.assertEqual([one["name"] for one in report.merge(merged, {**MADE, "bars": []}, "2026-03-05", ["one"])["bars"]], ["one"])
        text = report.page(merged, {})
        for said in ("another machine, on 2026-03-04; 5 rounds of 3 s", "- work one, against a peer: a machine, on 2026-01-02", "- the growth: a machine, on 2026-01-02"):
            self.assertIn(said, text)


if __name__ == "__main__":
    unittest.main()
