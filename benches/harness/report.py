"""Results as a table, as a picture and as a page."""

import json
import math
import os

# How much more a call may cost among many than among few.
GROWTH = 1.2
# What is measured as there is more, and in what.
# Figures of earlier runs may lack some.
GROWN = {"get": "µs", "list": "µs", "journal": "µs", "write": "µs", "range": "µs", "batch": "µs", "start": "ms", "memory": "MiB"}
WIDTH, ROW, LEFT, RIGHT = 860, 34, 330, 120


def number(value, metric="per_second"):
    if metric == "p50_us":
        return f"{value:.0f} µs"
    return f"{value / 1000:.1f}k/s" if value >= 1000 else f"{value:.0f}/s"


def bound(result):
    if result["at_least"] is None and result["at_most"] is None:
        return "none"
    return f"≥ {result['at_least']:g}" if result["at_least"] is not None else f"≤ {result['at_most']:g}"


def rows(results):
    for one in results:
        yield (
            one["title"],
            number(one["ours"], one["metric"]),
            f"{one['peer']}: {number(one['theirs'], one['metric'])}",
            f"{one['ratio']:.2f}",
            f"{one['lowest']:.2f}–{one['highest']:.2f}",
            bound(one),
            {True: "yes", False: "NO", None: ""}[one["met"]],
        )


HEAD = ("work", "ours", "peer", "ratio", "spread", "bar", "met")


def table(results):
    """For a terminal."""
    lines = [HEAD, *rows(results)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def markdown(head, lines):
    text = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    text += ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join(text)


def plot(results):
    """An SVG: each ratio as a bar on a logarithmic scale, its spread as a line, what is asked as a notch."""
    low, high = 0.1, 40
    height = 40 + ROW * len(results) + 34

    def x(ratio):
        share = (math.log10(min(max(ratio, low), high)) - math.log10(low)) / (math.log10(high) - math.log10(low))
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    style = (
        "text{font:13px system-ui,sans-serif;fill:#1b2421}.soft{fill:#4a5551;font-size:12px}.grid{stroke:#d9d5cb}"
        ".met{fill:#0e5a5e}.missed{fill:#a3301c}.told{fill:#8a938f}.spread{stroke:#1b2421;stroke-width:1.5}.bar{stroke:#8a5a0b;stroke-width:3}"
        "@media (prefers-color-scheme:dark){text{fill:#e9ece7}.soft{fill:#b7bfba}.grid{stroke:#2f3a37}.met{fill:#6fc3c4}"
        ".missed{fill:#f0937f}.spread{stroke:#e9ece7}.bar{stroke:#dcae5e}}"
    )
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>Ours against the peers: ratios of the same run</title>",
        f"<style>{style}</style>",
    ]
    for tick in (0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32):
        svg.append(f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="30" y2="{height - 30}"/>')
        svg.append(f'<text class="soft" x="{x(tick):.1f}" y="{height - 12}" text-anchor="middle">{tick:g}×</text>')
    for place, one in enumerate(results):
        top = 36 + ROW * place
        kind = {True: "met", False: "missed", None: "told"}[one["met"]]
        asked = one["at_least"] if one["at_least"] is not None else one["at_most"]
        svg.append(f'<text x="8" y="{top + 11}">{one["title"]}</text>')
        svg.append(f'<text class="soft" x="8" y="{top + 25}">against {one["peer"]}</text>')
        left, right = sorted((x(1), x(one["ratio"])))
        svg.append(f'<rect class="{kind}" x="{left:.1f}" y="{top + 4}" width="{max(1.5, right - left):.1f}" height="16"/>')
        svg.append(f'<line class="spread" x1="{x(one["lowest"]):.1f}" x2="{x(one["highest"]):.1f}" y1="{top + 12}" y2="{top + 12}"/>')
        if asked is not None:
            svg.append(f'<line class="bar" x1="{x(asked):.1f}" x2="{x(asked):.1f}" y1="{top}" y2="{top + 24}"/>')
        said = f" ({bound(one)})" if asked is not None else ""
        svg.append(f'<text x="{WIDTH - RIGHT + 12}" y="{top + 17}">{one["ratio"]:.2f}×{said}</text>')
    svg.append('<text class="soft" x="8" y="18">Filled: the median ratio, from 1×. Thin line: lowest to highest round. Notch: what is asked.</text>')
    svg.append("</svg>\n")
    return "\n".join(svg).replace("≥", "&#8805;").replace("≤", "&#8804;")


def limit(share, at_most, met):
    """What is asked, and whether it is missed, or was measured with another count than it is asked for."""
    said = f"≤ {share:g}" if at_most else f"≥ {share:,g}"
    return said + {True: "", False: ": MISSED", None: ": not measured with the count that this is asked for"}[met]


def domain_bars(found):
    """The measurements of the whole server: what is measured in a line, and whether the bar is met; None if the count is another one."""
    bars = []

    def add(name, line, value, share, at_most, counts=True):
        met = (value <= share if at_most else value >= share) if counts else None
        bars.append({"name": name, "met": met, "line": line.format(limit=limit(share, at_most, met))})

    if "profiles" in found:
        one = found["profiles"]
        ratio = one["sealed_us"] / one["plain_us"]
        add("profiles", f"Read of a profile with a birthday and a national identifier, 16 callers: p50 {one['sealed_us']:.0f} µs, {ratio:.2f}× of one without ({{limit}}).", ratio, 1.25, True)
    if "search" in found:
        few, many = found["search"]["sizes"][0], found["search"]["sizes"][-1]
        ratio = many["p99_us"] / few["p99_us"]
        add(
            "search",
            f"Search for a person by name, address, telephone or number, one caller: p99 {many['p99_us'] / 1e3:.1f} ms among {many['count']:,} profiles, "
            f"{ratio:.2f}× of {few['count']:,} ({{limit}}, 1,000,000 against 10,000); p50 {many['p50_us'] / 1e3:.1f} ms.",
            ratio, 1.5, True, (few["count"], many["count"]) == (10_000, 1_000_000),
        )
    if "mails" in found:
        one = found["mails"]
        add("mails", f"{one['count']:,} mails asked for over REST: a local mail server has them all, each once, after {one['seconds']:.1f} s (10,000: {{limit}} s).", one["seconds"], 60, True, one["count"] == 10_000)
    if "events" in found:
        one = found["events"]
        add("events", f"Delivery events, signed, {one['count']:,} of them: {one['per_second']:,.0f} a second are checked and stored ({{limit}}).", one["per_second"], 2_000, False)
    if "renewals" in found:
        one = found["renewals"]
        is_whole = one["count"] == 50_000
        add("renewals", f"{one['count']:,} plans due on one day, with the test vendor: {one['per_second']:,.0f} a second are billed and charged (50,000: {{limit}}).", one["per_second"], 100, False, is_whole)
        growth = one["after"] / one["before"]
        add("renewals_memory", f"The memory of the server after that day: {one['after']:.0f} MiB, {growth:.2f}× of its memory after a day with {one['billed_before']:,} (50,000: {{limit}}).", growth, 1.3, True, is_whole)
    if "renewals_due" in found:
        few, many = found["renewals_due"]["sizes"][0], found["renewals_due"]["sizes"][-1]
        ratio = many["p50_us"] / few["p50_us"]
        add(
            "renewals_due",
            f"First page of the plans that are billed on a day, one caller over gRPC-web: p50 {many['p50_us'] / 1e3:.1f} ms among {many['count']:,} plans, "
            f"{ratio:.2f}× of {few['count']:,} ({{limit}}, 1,000,000 against 10,000).",
            ratio, 1.5, True, (few["count"], many["count"]) == (10_000, 1_000_000),
        )
    if "renewals_paper" in found:
        one = found["renewals_paper"]
        add("renewals_paper", f"PDF of an invoice over REST, one caller: p50 {one['p50_us'] / 1e3:.1f} ms ({{limit}} ms).", one["p50_us"] / 1e3, 30, True)
    return bars


def domain_lines(found):
    """The measurements of the whole server, a line each."""
    return [f"- {one['line']}" for one in domain_bars(found)]


def shape(measured):
    """How often and how long something was measured."""
    return f"{measured['rounds']} rounds of {measured['seconds']:g} s"


def occasions(kept):
    """Where and when most was measured, and a line for each figure of another occasion."""
    bars = kept["bars"]
    measured = [one["measured"] for one in bars]
    parts = {"the growth": kept.get("growth"), "the whole sale": kept.get("sale")}
    parts |= {f"people and messages, {name}": one for name, one in kept.get("domains", {}).items()}
    parts = {name: one["measured"] for name, one in parts.items() if one}
    if not measured:
        return [f"- {name}: {one['machine']}, on {one['day']}." for name, one in parts.items()]
    most = max(measured, key=measured.count)
    lines = [f"{most['machine']}, on {most['day']}; {shape(most)}. Load generator, server and database share the cores."]
    others = [f"- {one['title']}, against {one['peer']}: {one['measured']['machine']}, on {one['measured']['day']}; {shape(one['measured'])}." for one in bars if one["measured"] != most]
    others += [f"- {name}: {one['machine']}, on {one['day']}." for name, one in parts.items() if (one["machine"], one["day"]) != (most["machine"], most["day"])]
    return lines + (["Measured on another occasion:", "", *others, ""] if others else [])


def page(kept, remarks):
    """docs/performance.md, of the figures that are kept."""
    results = kept["bars"]
    text = [
        "# Performance",
        "",
        "`benches/run` makes this page. Each line compares ours with a peer on the same machine in the same run: rounds of both",
        "alternate on a quiet machine, and the ratio is the median of the rounds' ratios. Peers in front stand before the very",
        "service that answers us directly, and answer the same JSON; whatever is durable waits for its disk.",
        "",
        *occasions(kept),
        "A comparison without a bar shows how much the framework alone could do. The figures are in [performance.json](performance.json).",
        "",
        "![Ratios against the peers](performance.svg)",
        "",
        markdown(HEAD, rows(results)),
        "",
    ]
    growth, sale, served = kept.get("growth"), kept.get("sale"), kept.get("domains")
    if growth:
        text += ["## Growth", "", "One caller on PostgreSQL, p50, by how many documents and journal entries there are: a document by its key, a page of the newest", "50, a page of 50 entries from the middle of the journal, a durable write; then a server's start and its memory.", ""]
        sizes = [f"{one['count']:,}" for one in growth["sizes"]]
        lines = [
            [f"{what}, {GROWN[what]}", *(f"{one[what]:.0f}" for one in growth["sizes"]), f"{ratio:.2f}×"]
            for what, ratio in growth["ratios"].items()
        ]
        text += [markdown(["work", *sizes, "largest to smallest"], lines), ""]
    if sale:
        text += [
            "## A whole sale",
            "",
            "A visitor prices a plan, signs up, is declined, pays with another card and holds entitlements, over REST on SQLite:",
            f"{sale['per_second']:.1f} sales a second with {sale['callers']} buyers at once, p50 {sale['p50_us'] / 1e6:.2f} s, p99 {sale['p99_us'] / 1e6:.2f} s.",
            "",
        ]
    if served:
        text += ["## People, messages and bills", "", "On the whole server with SQLite, over REST.", "", *domain_lines(served), ""]
    short = shortfalls(kept, remarks)
    return "\n".join([*text, "## What falls short", "", *(short or ["Nothing: every bar that was measured is met."])]) + "\n"


def shortfalls(kept, remarks):
    """A line for each bar that is missed."""
    short = [(one["name"], f"{one['title']} against {one['peer']}: {one['ratio']:.2f} ({bound(one)}).") for one in kept["bars"] if one["met"] is False]
    growth = kept.get("growth")
    if growth:
        first, last = growth["sizes"][0], growth["sizes"][-1]
        short += [
            (what, f"{what} among {last['count']:,}: {ratio:.2f}× of {first['count']:,} (≤ {GROWTH:g}).")
            for what, ratio in growth["ratios"].items() if ratio > GROWTH
        ]
    short += [(one["name"], one["line"]) for one in domain_bars(kept.get("domains", {})) if one["met"] is False]
    return [f"- {line} {remarks.get(name, '')}".rstrip() for name, line in short]


def growth_figures(sizes):
    """What grows with the data: each size, and the largest one's share of the smallest one's."""
    first, last = sizes[0], sizes[-1]
    return {"sizes": sizes, "ratios": {what: last[what] / first[what] for what in GROWN if what in first and what in last}}


def merge(kept, found, day, order):
    """The figures that are kept, with those of a run in the place of earlier ones. `order` has the names of all comparisons."""
    measured = {"day": day, "machine": found["machine"]}
    rounds = {**measured, "rounds": found["rounds"], "seconds": found["seconds"]}
    bars = {one["name"]: one for one in kept.get("bars", [])}
    for one in found["bars"]:
        figures = {key: value for key, value in one.items() if key != "rounds"}
        bars[one["name"]] = {**figures, "measured": rounds}
    merged = {"bars": [bars[name] for name in order if name in bars]}
    if found.get("growth"):
        merged["growth"] = {**growth_figures(found["growth"]), "measured": measured}
    elif kept.get("growth"):
        merged["growth"] = kept["growth"]
    if found.get("sale"):
        merged["sale"] = {**found["sale"], "measured": measured}
    elif kept.get("sale"):
        merged["sale"] = kept["sale"]
    domains = dict(kept.get("domains", {}))
    domains.update({name: {**one, "measured": measured} for name, one in found.get("domains", {}).items()})
    if domains:
        merged["domains"] = domains
    return merged


def files(kept, remarks):
    """The page and its plot, by file name."""
    return {"performance.md": page(kept, remarks), "performance.svg": plot(kept["bars"])}


def write(folder, kept, remarks):
    """Writes the figures that are kept, the page and its plot."""
    made = {"performance.json": json.dumps(kept, indent=1, ensure_ascii=False) + "\n", **files(kept, remarks)}
    for name, text in made.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)
