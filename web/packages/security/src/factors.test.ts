import { expect, test } from "vitest";
import { phoneNumber } from "./factors.ts";

test("a number without a country code is from here", () => {
  expect(phoneNumber("(512) 555-0100")).toBe("+15125550100");
  expect(phoneNumber("1 512 555 0100")).toBe("+15125550100");
  expect(phoneNumber("+52 55 1234 5678")).toBe("+525512345678");
});

test("what is too short or too long is no number", () => {
  expect(phoneNumber("555-0100")).toBeUndefined();
  expect(phoneNumber("")).toBeUndefined();
  expect(phoneNumber("+0123456789")).toBeUndefined();
  expect(phoneNumber("+1234567890123456")).toBeUndefined();
});
