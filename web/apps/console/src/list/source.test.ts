import { expect, test } from "vitest";
import { countText } from "./source.ts";

test("a count is in the reader's number format, and says when there are more", () => {
  expect(countText({ size: 37, capped: false }, "en-US")).toBe("37");
  expect(countText({ size: 0, capped: false }, "en-US")).toBe("0");
  expect(countText({ size: 1000, capped: true }, "en-US")).toBe("1,000+");
  expect(countText({ size: 1000, capped: true }, "fr-CA")).toMatch(/^1\s000\+$/);
});
