"""Results as a table, as a picture and as a page."""

import math

# How much more a call may cost among many than among few.
GROWTH = 1.2
# What is measured as there is more, and in what.
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


def domain_lines(found):
    """The measurements of the whole server, a line each."""
    lines = []
    if "profiles" in found:
        one = found["profiles"]
        ratio = one["sealed_us"] / one["plain_us"]
        lines.append(f"- Read of a profile with a birthday and a national identifier, 16 callers: p50 {one['sealed_us']:.0f} µs, {ratio:.2f}× of one without (≤ 1.25).")
    if "search" in found:
        few, many = found["search"][0], found["search"][-1]
        ratio = many["p99_us"] / few["p99_us"]
        lines.append(
            f"- Search for a person by name, address, telephone or number, one caller: p99 {many['p99_us'] / 1e3:.1f} ms among {many['count']:,} profiles, "
            f"{ratio:.2f}× of {few['count']:,} (≤ 1.5); p50 {many['p50_us'] / 1e3:.1f} ms."
        )
    if "mails" in found:
        one = found["mails"]
        lines.append(f"- {one['count']:,} mails asked for over REST: a local mail server has them all, each once, after {one['seconds']:.1f} s (10,000: ≤ 60 s).")
    if "events" in found:
        one = found["events"]
        lines.append(f"- Delivery events, signed, {one['count']:,} of them: {one['per_second']:,.0f} a second are checked and stored (≥ 2,000).")
    return lines


def page(report, remarks):
    """docs/performance.md."""
    results = report["bars"]
    missed = [one for one in results if one["met"] is False]
    text = [
        "# Performance",
        "",
        "`benches/run` makes this page. Each line compares ours with a peer on the same machine in the same run: rounds of both",
        "alternate on a quiet machine, and the ratio is the median of the rounds' ratios. Peers in front stand before the very",
        "service that answers us directly, and answer the same JSON; whatever is durable waits for its disk.",
        "",
        f"{report['machine']}; {report['rounds']} rounds of {report['seconds']:g} s. Load generator, server and database share the cores.",
        "A comparison without a bar shows how much the framework alone could do.",
        "",
        "![Ratios against the peers](performance.svg)",
        "",
        markdown(HEAD, rows(results)),
        "",
    ]
    if report.get("growth"):
        text += ["## Growth", "", "One caller on PostgreSQL, p50, by how many documents and journal entries there are: a document by its key, a page of the newest", "50, a page of 50 entries from the middle of the journal, a durable write; then a server's start and its memory.", ""]
        sizes = [f"{one['count']:,}" for one in report["growth"]]
        lines = [
            [f"{what}, {unit}", *(f"{one[what]:.0f}" for one in report["growth"]), f"{report['growth'][-1][what] / report['growth'][0][what]:.2f}×"]
            for what, unit in GROWN.items()
        ]
        text += [markdown(["work", *sizes, "largest to smallest"], lines), ""]
    if report.get("sale"):
        sale = report["sale"]
        text += [
            "## A whole sale",
            "",
            f"A visitor prices a plan, signs up, is declined, pays with another card and holds entitlements, over REST on SQLite:",
            f"{sale['per_second']:.1f} sales a second with {sale['callers']} buyers at once, p50 {sale['p50_us'] / 1e6:.2f} s, p99 {sale['p99_us'] / 1e6:.2f} s.",
            "",
        ]
    if report.get("domains"):
        text += ["## People and messages", "", "On the whole server with SQLite, over REST.", "", *domain_lines(report["domains"]), ""]
    text += ["## What falls short", ""]
    text += [f"- {one['title']} against {one['peer']}: {one['ratio']:.2f} ({bound(one)}). {remarks.get(one['name'], '')}".rstrip() for one in missed]
    grown = []
    if report.get("growth"):
        first, last = report["growth"][0], report["growth"][-1]
        grown = [what for what in GROWN if last[what] > GROWTH * first[what]]
    text += [f"- {what} among {last['count']:,}: {last[what] / first[what]:.2f}× of {first['count']:,} (≤ {GROWTH:g}). {remarks.get(what, '')}".rstrip() for what in grown]
    if not missed and not grown:
        text += ["Nothing: every bar is met."]
    return "\n".join(text) + "\n"
