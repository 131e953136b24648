import { expect, test } from "vitest";
import { matching, pickLocale } from "./locale.ts";

test("the address says the language before the last visit, and that before the browser", () => {
  expect(pickLocale("?lang=fr-CA", "es-US", ["en-US"])).toBe("fr-CA");
  expect(pickLocale("", "es-US", ["en-CA"])).toBe("es-US");
  expect(pickLocale("", null, ["de-DE", "en-CA"])).toBe("en-CA");
  expect(pickLocale("?lang=xx", null, ["de"])).toBe("en-US");
});

test("another country's speaker gets the language", () => {
  expect(matching("fr-FR")).toBe("fr-CA");
  expect(matching("es")).toBe("es-US");
  expect(matching("EN-us")).toBe("en-US");
  expect(matching("pt-BR")).toBeUndefined();
});
