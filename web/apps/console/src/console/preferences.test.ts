import { create } from "@bufbuild/protobuf";
import {
  ConsoleDensity,
  ConsolePreferenceSchema,
  ConsoleTheme,
} from "@pavise/schema/pavise/identity/v1/console_preference_pb";
import { expect, test } from "vitest";
import { arranged, choicesOf, requestOfChoices } from "./preferences.ts";

test("choices come back from the server as they were sent", () => {
  const choices = {
    theme: "dark" as const,
    compact: true,
    lists: { "orders.Order": { columns: ["id", "status"], order: "-updated_at" } },
  };
  const sent = requestOfChoices("ada", choices);
  expect(sent).toMatchObject({ identityId: "ada", theme: ConsoleTheme.DARK, density: ConsoleDensity.COMPACT });
  expect(choicesOf(create(ConsolePreferenceSchema, sent))).toEqual(choices);
});

test("nothing chosen is nothing arranged", () => {
  const choices = choicesOf(create(ConsolePreferenceSchema));
  expect(choices).toEqual({ theme: undefined, compact: false, lists: {} });
  const undone = arranged(arranged(choices, "orders.Order", { order: "id" }), "orders.Order", { order: "" });
  expect(requestOfChoices("ada", undone).lists).toEqual([]);
});

test("an arrangement changes one list, and of it what was arranged", () => {
  const choices = choicesOf(create(ConsolePreferenceSchema));
  const first = arranged(choices, "orders.Order", { columns: ["id"] });
  const second = arranged(arranged(first, "billing.Invoice", { order: "due_on" }), "orders.Order", { order: "-id" });
  expect(second.lists).toEqual({
    "orders.Order": { columns: ["id"], order: "-id" },
    "billing.Invoice": { columns: [], order: "due_on" },
  });
});
