import { expect, test } from "vitest";
import { after } from "./keys.ts";

const COMMANDS = ["t", "g h", "g o", "g z t", "o"];

test.each([
  ["a single key", "", "t", { command: "t", waiting: "" }],
  ["the first of two", "", "g", { waiting: "g" }],
  ["the second of two", "g", "o", { command: "g o", waiting: "" }],
  ["the second of three", "g", "z", { waiting: "g z" }],
  ["the last of three", "g z", "t", { command: "g z t", waiting: "" }],
  ["a key that continues nothing", "g", "t", { waiting: "" }],
  ["a key that continues nothing and begins a command", "g z", "g", { waiting: "g" }],
  ["a key of no command", "", "q", { waiting: "" }],
])("%s", (_what, earlier, key, then) => {
  expect(after(COMMANDS, earlier, key)).toEqual(then);
});
