"""Tells who passes what."""

from . import cases, values

TITLES = {"pavise": "Pavise", "envoy": "Envoy 1.40.0", "grpc-gateway": "grpc-gateway 1.6.4"}
MARKS = {cases.PASSED: "passes", cases.DOCUMENTED: "documented", cases.FAILED: "fails"}


def count(verdicts, result):
    return sum(one.result == result for one in verdicts)


def summary(verdicts):
    """`12`, `11 + 1` where one is documented otherwise, of as many as there are."""
    passed, documented = count(verdicts, cases.PASSED), count(verdicts, cases.DOCUMENTED)
    return f"{passed} + {documented}" if documented else str(passed)


def subjects(verdicts):
    """The rows by subject: its name, how many cases, and each transcoder's share."""
    first = next(iter(verdicts.values()))
    names = list(dict.fromkeys(one.case.subject for one in first))
    rows = []
    for name in names:
        shares = [[one for one in found if one.case.subject == name] for found in verdicts.values()]
        rows.append((name, len(shares[0]), [summary(share) for share in shares]))
    rows.append(("all", len(first), [summary(found) for found in verdicts.values()]))
    return rows


def printed(verdicts, verbose):
    """For a terminal."""
    rows = [("subject", "cases", list(verdicts)), *subjects(verdicts)]
    width = max(len(row[0]) for row in rows)
    lines = [f"{name:{width}}  {total:>5}  " + "  ".join(f"{one:>14}" for one in shares) for name, total, shares in rows]
    for name, found in verdicts.items():
        for one in found:
            if one.result == cases.FAILED or (verbose and one.result == cases.DOCUMENTED):
                if not (verbose or name == "pavise"):
                    continue
                lines += ["", f"{name}: {one.case.name} ({MARKS[one.result]})", f"  {one.case.told['request']['line']}"]
                lines += [f"  {problem}" for problem in one.problems]
                lines += [f"  answered {one.answer.status} {values.cut(one.answer.text(), 300)}"] if verbose else []
    lines += ["", "passed + passed as documented otherwise"]
    return "\n".join(lines)


def told(verdicts):
    """Everything, for programs."""
    return {name: [
        {"case": one.case.name, "subject": one.case.subject, "result": one.result, "problems": one.problems, "why": one.why,
         "status": one.answer.status, "body": one.answer.text()[:2000]}
        for one in found
    ] for name, found in verdicts.items()}


def page(verdicts):
    """For docs/rest.md."""
    heads = [TITLES.get(name, name) for name in verdicts]
    lines = ["| subject | cases | " + " | ".join(heads) + " |", "| --- | ---: |" + " ---: |" * len(heads)]
    lines += [f"| {name} | {total} | " + " | ".join(shares) + " |" for name, total, shares in subjects(verdicts)]
    lines += ["", "`n + m`: m more are answered otherwise on purpose, as documented below.", ""]
    lines += ["<details><summary>The cases that not all pass, and what came instead</summary>", ""]
    lines += ["| case | " + " | ".join(heads) + " |", "| --- |" + " --- |" * len(heads)]
    for row in zip(*verdicts.values()):
        if any(one.result != cases.PASSED for one in row):
            lines.append(f"| {row[0].case.name} | " + " | ".join(cell(one) for one in row) + " |")
    return "\n".join([*lines, "", "</details>"])


def cell(verdict):
    if verdict.result == cases.PASSED:
        return "✓"
    if verdict.result == cases.DOCUMENTED:
        return f"○ {verdict.why}"
    return "✗ " + values.cut(verdict.problems[0], 90).replace("|", "\\|").replace("<", "&lt;").replace("`", "'")


def write(file, name, content):
    """Puts something where the page has its place for it."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    with open(file, encoding="utf-8") as source:
        text = source.read()
    if begin not in text or end not in text:
        raise SystemExit(f"{file} has no place for it: {begin} … {end}")
    before, after = text.split(begin)[0], text.split(end)[1]
    with open(file, "w", encoding="utf-8") as out:
        out.write(f"{before}{begin}\n{content}\n{end}{after}")
