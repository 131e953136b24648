import { expect, test } from "vitest";
import { byNeed, stateOf, timeText, type Standing } from "./workers.ts";

const good: Standing = {
  name: "orders.sell_offers",
  paused: false,
  asked: false,
  runs: false,
  cause: "",
  parked: 0n,
  lagEntries: 0n,
};

test("a pause is said before anything else, and what needs somebody before what goes on", () => {
  expect(stateOf(good)).toBe("good");
  expect(stateOf({ ...good, lagEntries: 3n })).toBe("behind");
  expect(stateOf({ ...good, runs: true, lagEntries: 3n })).toBe("runs");
  expect(stateOf({ ...good, asked: true })).toBe("asked");
  expect(stateOf({ ...good, cause: "UNAVAILABLE", asked: true })).toBe("failed");
  expect(stateOf({ ...good, parked: 1n, cause: "UNAVAILABLE" })).toBe("parked");
  expect(stateOf({ ...good, paused: true, parked: 1n, cause: "UNAVAILABLE" })).toBe("paused");
});

test("the list begins with those that need somebody", () => {
  const rows = [
    good,
    { ...good, name: "billing.expire_cards", runs: true },
    { ...good, name: "catalog.expire_names" },
    { ...good, name: "members.copy_names", parked: 2n },
    { ...good, name: "groups.end_plans", paused: true },
  ];
  expect(rows.toSorted(byNeed).map(({ name }) => name)).toEqual([
    "members.copy_names",
    "groups.end_plans",
    "billing.expire_cards",
    "catalog.expire_names",
    "orders.sell_offers",
  ]);
});

test("a time is said in one unit", () => {
  expect(timeText("en-US", 1n)).toBe("1 second");
  expect(timeText("en-US", 90n)).toBe("90 seconds");
  expect(timeText("en-US", 600n)).toBe("10 minutes");
  expect(timeText("es-US", 3600n)).toBe("1 hora");
  expect(timeText("fr-CA", 172_800n)).toBe("2\u00a0jours");
});
