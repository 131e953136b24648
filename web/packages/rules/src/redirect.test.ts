import { expect, test } from "vitest";
import { returnPath } from "./redirect.ts";

test.each([
  ["/console/orders?x=1#top", "/console/orders?x=1#top"],
  ["https://elsewhere.example/", "/home"],
  ["//elsewhere.example/", "/home"],
  ["/\\elsewhere.example", "/home"],
  ["javascript:alert(1)", "/home"],
  [null, "/home"],
  ["", "/home"],
])("the way back %j leads to %s", (given, path) => {
  expect(returnPath(given, "/home")).toBe(path);
});
