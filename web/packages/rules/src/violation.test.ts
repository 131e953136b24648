import { expect, test } from "vitest";
import { brokenPattern, brokenRule } from "./violation.ts";

test.each([
  ["value is required", { rule: "required" }],
  ["must be at least 1 characters", { rule: "required" }],
  ["must be at least 5 characters", { rule: "tooShort", limit: "5" }],
  ["must be at most 80 characters", { rule: "tooLong", limit: "80" }],
  ["must have at least 1 items", { rule: "tooFew", limit: "1" }],
  ["does not match regex pattern `^[a-z0-9][a-z0-9-]{0,39}$`", { rule: "pattern" }],
  ["must be >= 1", { rule: "least", limit: "1" }],
  ["value must be one of the defined enum values", { rule: "choice" }],
  ["Ontario does not have this postal code", undefined],
])("%s", (description, rule) => expect(brokenRule(description)).toEqual(rule));

const BRAND = "^[a-z0-9][a-z0-9-]{0,39}$";

test.each([
  [BRAND, "Pavise", { rule: "characters", limit: "a–z 0–9 -" }],
  [BRAND, "-pavise", { rule: "begins", limit: "a–z 0–9" }],
  [BRAND, "a".repeat(41), { rule: "tooLong", limit: "40" }],
  ["^[0-9]{4}$", "123", { rule: "tooShort", limit: "4" }],
  ["^[A-Za-z0-9][A-Za-z0-9._-]{2,63}$", "a b", { rule: "characters", limit: "A–Z a–z 0–9 . _ -" }],
  ["^[0-9+(). -]*$", "x", { rule: "characters", limit: "0–9 + ( ) . ␣ -" }],
  ["^[A-Za-z0-9.]{1,64}@([A-Za-z0-9]+\\.)+[a-z]{2,63}$", "ada", { rule: "email" }],
  ["^([0-9]{6})?$", "12", { rule: "pattern" }],
])("%s refuses %s", (pattern, text, broken) => expect(brokenPattern(pattern, text)).toEqual(broken));
