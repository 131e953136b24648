import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { noteAnswered, refusalOfPage } from "./broken.ts";
import { problemOf } from "./problem.ts";

test("an error of rendering is internal and names the last request", () => {
  noteAnswered("5e36dc58");
  noteAnswered("");
  const problem = problemOf(refusalOfPage(new TypeError("cannot read properties of undefined")));
  expect([problem.kind, problem.traceId]).toEqual(["internal", "5e36dc58"]);
});

test("a part of the app that did not arrive is unavailable", () => {
  expect(refusalOfPage(new TypeError("Failed to fetch dynamically imported module: /x.js")).code).toBe(
    Code.Unavailable,
  );
});

test("a refusal stays what it is", () => {
  const refused = new ConnectError("no", Code.NotFound);
  expect(refusalOfPage(refused)).toBe(refused);
});
