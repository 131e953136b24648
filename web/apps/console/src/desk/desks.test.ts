import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { contractOf } from "../contract/load.ts";
import { DESKS } from "./desks.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));

test.each(DESKS.map((desk) => [desk.path, desk] as const))(
  "%s is for entities and a call that the contract has",
  (_path, { needs, records }) => {
    expect(contract.operations.filter(({ id }) => id.endsWith(`.${needs}`)).length).toBe(1);
    const names = new Set(contract.entities.map(({ domain, name }) => `${domain}.${name}`));
    expect(Object.keys(records).filter((name) => !names.has(name))).toEqual([]);
  },
);

// The calls in the desks' lists of next steps exist in the contract.
test.each([
  ["Order", ["PurchaseOrder", "ProvisionOrder", "AssignOwner", "PutAuthorizedUsers", "UpdateSource", "DeleteOrder"]],
  [
    "Invoice",
    [
      "PayInvoice",
      "MakeInvoiceDelinquent",
      "ForgiveInvoice",
      "VoidInvoice",
      "TryInvoiceNow",
      "HoldInvoice",
      "EndInvoiceHold",
    ],
  ],
  [
    "Subscription",
    [
      "SuspendSubscription",
      "ActivateSubscription",
      "PendingCancelSubscription",
      "RemovePendingCancelSubscription",
      "UpdateSubscriptionDiscounts",
    ],
  ],
  ["ReconciliationRow", ["SettleReconciliationRow"]],
  ["Repricing", ["WithdrawRepricing"]],
  ["Provision", ["UpdateProvisionFields", "AddIdentityId", "AddClassicMap", "AddSubscription"]],
  [
    "Identity",
    [
      "AddEmail",
      "UpdateEmail",
      "RemoveEmail",
      "AddUsername",
      "RemoveUsername",
      "UpdateSettings",
      "UpdatePermissions",
      "UpdateGroups",
      "DeleteIdentity",
    ],
  ],
  ["Product", ["ActivateProduct", "UpdateProduct", "DeactivateProduct", "DeleteProduct"]],
  [
    "Offer",
    [
      "MakeReadyForSale",
      "MakeEnrollable",
      "SetPendingApproval",
      "UpdateOffer",
      "AddProducts",
      "UpdateProducts",
      "UpdateAvailableLocalities",
      "GrandfatherOffer",
      "DeleteOffer",
    ],
  ],
])("%s: the contract has every next step", (entity, calls) => {
  const own = new Set(
    contract.operations.filter((operation) => operation.entity?.name === entity).map(({ method }) => method.name),
  );
  expect(calls.filter((name) => !own.has(name))).toEqual([]);
});

test("no key leads to two desks, or to the security page", () => {
  const keys = [...DESKS.map(({ key }) => key), "S"];
  expect(keys.filter((key) => !/^[A-Z]$/.test(key))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
});

test("a desk lies in the folder of a domain, with its registration", () => {
  const folders = Object.keys(import.meta.glob("./*/*Desk.tsx")).map((path) => path.split("/")[1]);
  const registered = Object.keys(import.meta.glob("./*/*.desk.ts")).map((path) => path.split("/")[1]);
  expect(registered.length).toBe(DESKS.length);
  expect(folders.filter((folder) => !registered.includes(folder))).toEqual([]);
  const domains = new Set(contract.entities.map(({ domain }) => domain));
  expect(registered.filter((folder) => !domains.has(folder ?? ""))).toEqual([]);
});
