import { expect, test } from "vitest";
import { pickBillingPeriod, type Party } from "./billing-period.ts";

test.each<Party>(["member", "associate", "business", "group"])("%s is billed MONTHLY when nothing is said", (party) => {
  expect(pickBillingPeriod(party)).toBe("MONTHLY");
});

test("what is asked for everybody holds for everybody but an associate", () => {
  expect(pickBillingPeriod("member", { period: "ANNUAL" })).toBe("ANNUAL");
  expect(pickBillingPeriod("associate", { period: "ANNUAL" })).toBe("MONTHLY");
});

test("a party's own period wins, an associate's too", () => {
  const choice = { period: "ANNUAL", perParty: { associate: "QUARTERLY", member: "WEEKLY" } } as const;
  expect(pickBillingPeriod("associate", choice)).toBe("QUARTERLY");
  expect(pickBillingPeriod("member", choice)).toBe("WEEKLY");
  expect(pickBillingPeriod("group", choice)).toBe("ANNUAL");
});
