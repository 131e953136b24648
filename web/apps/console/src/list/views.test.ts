import { create } from "@bufbuild/protobuf";
import { ApplicationSettingSchema } from "@pavise/schema/pavise/identity/v1/application_setting_pb";
import { expect, test } from "vitest";
import { keptOf, shows, viewOf } from "./views.ts";

const setting = (name: string, settings: Record<string, unknown>) =>
  create(ApplicationSettingSchema, {
    id: "id",
    ownerId: "me",
    version: 3n,
    name,
    settings: settings as never,
    shared: true,
  });

test("a view is read out of its setting", () => {
  const view = viewOf(
    setting("orders.Order/Failed, this/that", { kind: "view", address: { sort: "-status", hide: "id" } }),
    "me",
  );
  expect(view).toEqual({
    id: "id",
    ownerId: "me",
    version: 3n,
    name: "Failed, this/that",
    list: "orders.Order",
    address: { sort: "-status", hide: "id" },
    shared: true,
    mine: true,
  });
});

test.each([
  ["another setting", "list-defaults", { defaults: {} }],
  ["a setting without a list", "Failed", { kind: "view", address: {} }],
  ["a document that is none", "orders.Order/Failed", { kind: "view", address: "sort=status" }],
])("%s is no view", (_what, name, settings) => {
  expect(viewOf(setting(name, settings), "me")).toBeUndefined();
});

test("what is not a text in a view's address is left out: an address has texts only", () => {
  expect(
    viewOf(setting("orders.Order/Odd", { kind: "view", address: { sort: "id", hide: 3, by: null } }), "other"),
  ).toMatchObject({ address: { sort: "id" }, mine: false });
});

test("an address shows a view when it says the same, whatever its order and however the view is named", () => {
  const view = {
    id: "id",
    ownerId: "me",
    version: 1n,
    name: "A",
    list: "orders.Order",
    address: { sort: "id", by: "recent" },
    shared: false,
    mine: true,
  };
  expect(shows({ view: "id", by: "recent", sort: "id", hide: undefined }, view)).toBe(true);
  expect(shows({ view: "id", by: "recent" }, view)).toBe(false);
  expect(shows({ view: "id", by: "recent", sort: "-id" }, view)).toBe(false);
  expect(keptOf({ view: "id", of: "me", sort: "id", empty: "" })).toEqual({ sort: "id" });
});
