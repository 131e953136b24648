"""The catalog behind the real server: pages of content beside lists of products, plans of a choice, a member's benefits, and
growth."""

import json
import os
import sqlite3
import urllib.request

from . import load, machine

SECRET = "a secret of the benchmarks"
# The plans of the map that is measured.
ROWS = 1_000
ENTRIES = 10_000
# The member whose benefits are asked for.
MEMBER = "01900000-0000-7000-8000-0000000000bb"
PLANS, BENEFITS = 6, 60
USD = {"currency": "USD", "amount": 2995}
PRICE = {"billingPeriod": "MONTHLY", "initial": USD, "renewal": USD}
TEXT = "From **$29.95** a month, with no bill by the hour. [See the plans](/plans). " * 6


class CatalogServer:
    """The real server on a SQLite file of its own, and calls that fill it."""

    def __init__(self, server, folder, name):
        self.server, self.folder = server, os.path.join(folder, name)
        os.makedirs(self.folder)
        self.database = os.path.join(self.folder, "shelves.db")
        os.environ["PAVISE_MESH_SECRET"] = SECRET
        self.token = machine.run([server, "token", "issue"]).strip()

    def serve(self):
        self.address, admin = (f"127.0.0.1:{machine.port()}" for _ in range(2))
        command = [self.server, "serve", "--listen", self.address, "--admin-listen", admin, "--database", f"sqlite://{self.database}", "--log", "warn"]
        process = machine.start(command, os.path.join(self.folder, "shelves.log"))
        machine.wait_for(self.address, "the server", process, 120)
        return process

    def ask(self, path, body):
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        asked = urllib.request.Request(f"http://{self.address}{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(asked) as answer:
            return json.load(answer)

    def make(self, path, body):
        return self.ask(path, body)["id"]


class Covered(CatalogServer):
    """A member with six plans, each of which promises sixty benefits."""

    def __init__(self, server, folder):
        super().__init__(server, folder, "covered")
        self.serve()
        benefits = [self.benefit(number) for number in range(BENEFITS)]
        tier = {"id": "tier", "name": "Tier", "coverage": "FAMILY", "prices": [PRICE]}
        promised = [{"id": f"benefit-{number}", "benefitId": benefit} for number, benefit in enumerate(benefits)]
        for number in range(PLANS):
            draft = {"name": f"Plan {number}", "family": "Legal", "productGroup": "legal-plan", "tiers": [tier], "benefits": promised}
            product = self.make("/v1/products", draft)
            self.ask(f"/v1/products/{product}/activate", {})
            held = {"productId": product, "tierId": "tier", "name": f"Plan {number}", "family": "lgl", "provisionId": f"provision-{number}", "orderId": "order", "productVersion": 1}
            self.ask(f"/v1/identities/{MEMBER}/entitlements", held)
        self.path = f"/v1/users/{MEMBER}/benefitsEligibilities"
        answer = self.ask(self.path, {})["benefits"]
        if len(answer) != BENEFITS or any(len(one["sources"]) != PLANS for one in answer):
            raise SystemExit("the member does not have six plans of sixty benefits")
        self.script = load.lua(self.folder, self.token, "{}")

    def benefit(self, number):
        benefit = self.make("/v1/benefits", {"name": f"Benefit {number}", "internalName": f"benefit-{number}"})
        self.ask(f"/v1/benefits/{benefit}/activate", {})
        return benefit

    def eligible(self, seconds):
        return load.wrk(f"http://{self.address}{self.path}", self.script, seconds, 1)


class Shelves(CatalogServer):
    """A server on a SQLite file of its own with so many products and content entries, for sale and published."""

    def __init__(self, server, folder, products):
        super().__init__(server, folder, f"shelves-{products}")
        process = self.serve()
        product = self.make("/v1/products", self.product())
        self.ask(f"/v1/products/{product}/activate", {})
        offer = self.make("/v1/brands/pavise/offers", {"names": names("Plans"), "channel": "D2C", "products": [{"productId": product}]})
        self.ask(f"/v1/brands/pavise/offers/{offer}/readyForSale", {})
        self.make("/v1/offerMaps", {"brand": "pavise", "offerId": offer, "billingProvider": "SYSTEM I", "products": [{"productId": product, "plans": plans()}]})
        entry = self.make("/v1/contentEntries", {"typeId": self.make("/v1/contentTypes", kind()), "siteType": "MEMBER", "key": "page-0", "draft": draft()})
        self.ask(f"/v1/contentEntries/{entry}/publish", {})
        machine.end(process)
        self.multiply("products", "products", product, products)
        self.multiply("content", "content_entries", entry, ENTRIES)
        self.serve()
        self.get = load.lua(self.folder, self.token)
        choice = {"productId": product, "tierId": "tier-9", "supplementIds": [f"extra-{number}" for number in range(3)]}
        body = {"selections": [choice], "billingPeriod": "MONTHLY", "locality": "TX"}
        self.plan = (f"http://{self.address}/v1/offers/{offer}/planMap", load.lua(self.folder, self.token, json.dumps(body)))
        if not self.ask(f"/v1/offers/{offer}/planMap", body)["lines"]:
            raise SystemExit("the choice has no plan")

    def product(self):
        tiers = [{"id": f"tier-{number}", "name": f"Tier {number}", "coverage": "FAMILY", "prices": [PRICE]} for number in range(10)]
        extras = [{"id": f"extra-{number}", "name": f"Extra {number}", "prices": [PRICE]} for number in range(10)]
        return {"name": "Plan", "family": "Legal", "productGroup": "legal-plan", "tiers": tiers, "supplements": extras}

    def multiply(self, journal, table, sample, count):
        """Copies an entity past the server, which does not run, with an entry in the journal for each copy."""
        new = "printf('90000000-0000-4000-8000-%012d', i)"
        columns = "clock, action, entity_table, entity_id, owner_id, version, at, actor, subject, request_id, removed, doc"
        with sqlite3.connect(self.database) as database:
            (clock,) = database.execute("SELECT clock FROM journal_counter WHERE journal = ?", (journal,)).fetchone()
            database.execute(
                f"""WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
                INSERT INTO {table} (id, owner_id, status, version, clock, created_at, updated_at, doc)
                SELECT {new}, owner_id, status, version, {clock} + i, created_at, updated_at,
                    json_set(doc, '$.id', {new}, '$.key', 'page-' || i) FROM n, {table} WHERE id = ?""",
                (sample,),
            )
            database.execute(
                f"""INSERT INTO {journal}_journal ({columns}) SELECT clock, 'UPDATED', '{table}', id, owner_id, version,
                updated_at, '', '', '', false, doc FROM {table} WHERE clock > {clock}"""
            )
            database.execute("UPDATE journal_counter SET clock = clock + ? WHERE journal = ?", (count, journal))
        database.close()

    def read(self, path, seconds):
        """One caller, page after page."""
        return load.wrk(f"http://{self.address}{path}", self.get, seconds, 1)

    def planned(self, seconds):
        return load.wrk(*self.plan, seconds, 1)


def names(text):
    return [{"locale": "en-US", "text": text}]


def plans():
    """Rows for each tier, pair of supplements and region, the bare tiers among them."""
    rows = []
    for tier in range(10):
        for number in range(ROWS // 10):
            chosen = [f"extra-{place}" for place in range(7) if number & (1 << place)]
            code = f"T{tier}P{number}"
            rows.append({"id": code, "tierId": f"tier-{tier}", "supplementIds": chosen, "planCode": code})
    return rows


def kind():
    text = {"key": "heading", "type": "TEXT", "required": True, "localized": True}
    return {"key": "page", "variant": "PAGE", "siteType": "MEMBER", "fields": [text, {"key": "body", "type": "RICH_TEXT", "localized": True}]}


def draft():
    locales = ("en-US", "es-US", "en-CA", "fr-CA")
    value = lambda key, locale, text: {"fieldKey": key, "locale": locale, "text": text}
    return [value("heading", locale, "Plans") for locale in locales] + [value("body", locale, TEXT) for locale in locales]
