import { expect, test } from "vitest";
import { heldBy, isUnclear } from "./held.ts";

const NEW = { address: "new@example.com", addsUsernames: [], removes: [], makesPrimary: "" };

test("a new address is proved, with the addresses whose place it takes", () => {
  expect(heldBy(NEW, ["ada@example.com"])).toEqual({ kind: "address" });
  expect(heldBy({ ...NEW, removes: ["ada@example.com"] }, ["ada@example.com"])).toEqual({
    kind: "replacement",
    removes: ["ada@example.com"],
  });
});

test("a letter to an own address is about a change by somebody else", () => {
  const own = ["ada@example.com", "spare@example.com"];
  const names = { ...NEW, address: "Ada@example.com" };
  expect(heldBy({ ...names, addsUsernames: ["countess"] }, []).kind).toBe("names");
  expect(heldBy({ ...names, makesPrimary: "spare@example.com" }, own).kind).toBe("names");
  expect(heldBy({ ...names, removes: ["spare@example.com"] }, own)).toEqual({
    kind: "names",
    adds: [],
    removes: ["spare@example.com"],
    makesPrimary: "",
  });
});

test("the own addresses are asked for only where they decide", () => {
  expect(isUnclear(NEW)).toBe(false);
  expect(isUnclear({ ...NEW, addsUsernames: ["countess"], removes: ["ada"] })).toBe(false);
  expect(isUnclear({ ...NEW, removes: ["ada"] })).toBe(true);
});
