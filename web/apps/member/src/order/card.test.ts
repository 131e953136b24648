import { expect, test } from "vitest";
import { expiryOf, grouped, groupedExpiry, TEST_CARDS, tokenOf } from "./card.ts";

test("a number is written in groups of four", () => {
  expect(grouped("4111111111111111")).toBe("4111 1111 1111 1111");
  expect(grouped("4111-11a")).toBe("4111 11");
});

test("only the test vendor's numbers have a token", () => {
  expect(tokenOf("4111 1111 1111 1111")).toMatchObject({ token: "test_4111111111111111", last4: "1111" });
  expect(tokenOf("4242 4242 4242 4242")).toBeUndefined();
  expect(TEST_CARDS.every(({ number }) => tokenOf(number) !== undefined)).toBe(true);
});

test("a card lives to the end of its last month", () => {
  const today = { year: 2026, month: 3, day: 14 };
  expect(expiryOf("03 / 26", today)).toEqual({ month: 3, year: 2026 });
  expect(expiryOf("02/26", today)).toBeUndefined();
  expect(expiryOf("13 / 30", today)).toBeUndefined();
  expect(expiryOf("12/2030", today)).toEqual({ month: 12, year: 2030 });
});

test("the slash comes by itself and goes with its digit", () => {
  expect(groupedExpiry("12", "1")).toBe("12 / ");
  expect(groupedExpiry("12 / 2", "12 / ")).toBe("12 / 2");
  expect(groupedExpiry("12 /", "12 / ")).toBe("12");
});
