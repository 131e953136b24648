import { expect, test } from "vitest";
import { environmentOf, serviceHost } from "./environment.ts";

test.each([
  ["localhost", "dev"],
  ["dev-console.pavise.example", "dev"],
  ["uat-console.pavise.example", "uat"],
  ["console.pavise.example", "production"],
] as const)("%s is %s", (host, environment) => {
  expect(environmentOf(host)).toBe(environment);
});

test.each([
  ["dev", "dev-orders.pavise.example"],
  ["uat", "uat-orders.pavise.example"],
  ["production", "orders.pavise.example"],
] as const)("in %s a service is called at %s", (environment, host) => {
  expect(serviceHost("orders.pavise.example", environment)).toBe(host);
});
