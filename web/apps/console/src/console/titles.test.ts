import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, createRegistry, fromJson, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { expect, test } from "vitest";
import { contractOf } from "../contract/load.ts";
import { type Entity } from "../contract/operation.ts";
import { filledIn, titledOf } from "./titles.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));
const saying = { locale: "fr-CA", registry: createRegistry(), translate: (words: string) => words };
const named = (name: string) => contract.entities.find((entity) => entity.name === name) as Entity;

function titled(name: string, json: JsonValue) {
  const entity = named(name);
  return titledOf(entity, "the-id", fromJson(entity.desc as DescMessage, json), saying);
}

test.each<[string, JsonValue, string]>([
  ["Identity", { emails: [{ address: "ada@example.com" }, { address: "b@example.com" }] }, "ada@example.com"],
  ["Identity", { usernames: ["ada"] }, "ada"],
  ["Identity", {}, "the-id"],
  ["Identity", { displayName: "Ada Example", emails: [{ address: "ada@example.com" }] }, "Ada Example"],
  ["Order", { offers: [{ offerName: "Family" }, { offerName: "Shield" }, { offerName: "Family" }] }, "Family, Shield"],
  ["PaymentMethod", { card: { brand: "CARD_TYPE_VISA", last4: "4242" } }, "Visa ···· 4242"],
  ["PaymentMethod", { bankAccount: { type: "BANK_ACCOUNT_TYPE_CHECKING", last4: "6789" } }, "Checking ···· 6789"],
])("%s of %o is %s", (name, json, title) => {
  expect(titled(name, json).title).toBe(title);
});

const say = (locale: string, of: string) => ({ locale: `LOCALE_${locale}`, text: of });

test("a text of several languages is the reader's, else the first", () => {
  expect(titled("Offer", { names: [say("EN_US", "Family"), say("FR_CA", "Famille")] }).title).toBe("Famille");
  expect(titled("Offer", { names: [say("EN_US", "Family"), say("ES_US", "Familia")] }).title).toBe("Family");
});

test("the detail is of the fields that are set", () => {
  const order = { status: "ORDER_STATUS_FUNDED", totals: { total: { currency: "CURRENCY_USD", amount: "3495" } } };
  expect(titled("Order", order).title).toBe("34,95\u00a0$");
  expect(titled("Order", order).detail).toBe("Funded");
});

test("a value has the words that the contract says for it", () => {
  expect(titled("Transaction", { status: "TRANSACTION_STATUS_TIMEDOUT" }).detail).toBe("Timed out");
});

test.each([
  ["{name} · {product_group}", "Legal"],
  ["{product_group|name}!", "Legal!"],
  ["{owner_id.title} · {name}", "Legal"],
  ["plan {name}", "plan Legal"],
  ["", ""],
])("the template %s is %s", (template, text) => {
  const { desc } = named("Product");
  const message = create(desc, { name: "Legal", ownerId: "someone" } as never);
  expect(filledIn(template, reflect(desc, message), saying)).toBe(text);
});

const names = (_field: unknown, id: string) => (id === "ada" ? "Ada Example" : "");

test("a title names other records by their titles, where they are known", () => {
  const { desc } = named("Order");
  const order = fromJson(desc as DescMessage, { ownerId: "ada", offers: [{ offerName: "Family" }] });
  const template = "{owner_id.title} · {offers[].offer_name}";
  expect(filledIn(template, reflect(desc, order), saying, names)).toBe("Ada Example · Family");
  expect(filledIn(template, reflect(desc, order), saying)).toBe("Family");
});
