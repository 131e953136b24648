import { expect, test, vi } from "vitest";
import { applicationOf, hasPermission } from "./permission.ts";

const payload = { console: ["orders.orders.read"], pavise: ["billing.invoices.write"] };

test.each([
  ["console.pavise.example", "console"],
  ["dev-console.eu.pavise.example", "dev-console.eu"],
  ["pavise.example", ""],
  ["localhost", ""],
])("the application of %s is %j", (host, application) => {
  expect(applicationOf(host)).toBe(application);
});

test("a permission counts for the application that it is listed for", () => {
  expect(hasPermission(payload, "orders.orders.read", "console")).toBe(true);
  expect(hasPermission(payload, "orders.orders.read", "pavise")).toBe(false);
  expect(hasPermission(payload, "orders.orders", "console")).toBe(false);
});

test("an application without permissions answers false", () => {
  expect(hasPermission(payload, "orders.orders.read", "elsewhere")).toBe(false);
  expect(hasPermission(payload, "orders.orders.read", "toString")).toBe(false);
  expect(hasPermission(undefined, "orders.orders.read", "console")).toBe(false);
});

test("the application is the page's when none is named", () => {
  vi.stubGlobal("location", { hostname: "console.pavise.example" });
  expect(hasPermission(payload, "orders.orders.read")).toBe(true);
  expect(hasPermission(payload, "billing.invoices.write")).toBe(false);
  vi.unstubAllGlobals();
});
