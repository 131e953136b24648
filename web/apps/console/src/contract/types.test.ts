import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { expect, test, vi } from "vitest";
import { contractOf } from "./load.ts";
import { domainOf, readContract } from "./operation.ts";
import { screenOf } from "./screens.ts";
import { setOf, Types } from "./types.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const bytes = readFileSync(file);
const set = setOf(bytes);
const whole = contractOf(bytes);
const DOMAINS = [...new Set(whole.services.map(({ domain }) => domain))];

/** A part as the server serves it. */
function served(part: string): Uint8Array {
  const own = set.file.filter(
    ({ package: name }) => (DOMAINS.find((one) => domainOf(name) === one) ?? "shared") === part,
  );
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: own }));
}

test("a contract without types says everything but fields, and the fields of a loaded domain", async () => {
  const fetch = vi.fn<(part: string) => Promise<Uint8Array>>((part) => Promise.resolve(served(part)));
  const contract = readContract(set, new Types(fetch));
  const said = ({ operations }: typeof contract) =>
    operations.map((one) => [one.id, one.title, one.rest, screenOf(one)]);
  expect(said(contract)).toEqual(said(whole));
  const order = contract.entities.find(({ name }) => name === "Order");
  const invoice = contract.entities.find(({ name }) => name === "Invoice");
  expect(() => order?.desc).toThrow("pavise.orders.v1.Order are not loaded");
  await Promise.all([contract.load("orders"), contract.load("orders")]);
  expect(fetch.mock.calls.flat().toSorted()).toEqual(["orders", "shared"]);
  expect([contract.has(["orders"]), contract.has(["orders", "billing"])]).toEqual([true, false]);
  expect(order?.statuses).toContain("OPEN");
  expect(() => invoice?.desc).toThrow("not loaded");
});

test("a type that two domains use has one descriptor", async () => {
  const contract = readContract(set, new Types((part) => Promise.resolve(served(part))));
  await contract.load("billing");
  const journals = contract.operations.filter(({ kind }) => kind === "journal");
  const page = journals.find(({ domain }) => domain === "billing")?.method.output;
  await contract.load("orders", "identity");
  expect(journals.find(({ domain }) => domain === "orders")?.method.output).toBe(page);
  expect(journals.find(({ domain }) => domain === "billing")?.method.output).toBe(page);
});

test.each(DOMAINS)("the descriptors of %s need no other domain's", async (domain) => {
  const contract = readContract(set, new Types((part) => Promise.resolve(served(part))));
  await contract.load(domain);
  for (const operation of contract.operations.filter((one) => one.domain === domain))
    expect(operation.method.input.typeName).not.toBe("");
});

test("a part that did not arrive is fetched again", async () => {
  let lost = true;
  const contract = readContract(
    set,
    new Types((part) =>
      lost && part === "orders" ? Promise.reject(new Error("lost")) : Promise.resolve(served(part)),
    ),
  );
  await expect(contract.load("orders")).rejects.toThrow("lost");
  expect(contract.has(["orders"])).toBe(false);
  lost = false;
  await contract.load("orders");
  expect(contract.has(["orders"])).toBe(true);
});
