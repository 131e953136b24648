import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create } from "@bufbuild/protobuf";
import {
  ProvisionFailureSchema,
  ProvisionSchema,
  ProvisionStatus,
} from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import { expect, test } from "vitest";
import { registryOf } from "../contract/load.ts";
import { readContract } from "../contract/operation.ts";
import { DESKS } from "./desks.ts";
import { BLOCKED, needOf, placeOf, WAY } from "./provisions.ts";
import { minorOf } from "./minor.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = readContract(registryOf(readFileSync(file)));

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
  ["Invoice", ["PayInvoice", "MakeInvoiceDelinquent", "ForgiveInvoice", "VoidInvoice"]],
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

test("how far a provisioning came is where it stands, or where it failed", () => {
  expect(placeOf(create(ProvisionSchema, { status: ProvisionStatus.IDENTITIES_ADDED }))).toBe(
    WAY.indexOf(ProvisionStatus.IDENTITIES_ADDED),
  );
  const failure = create(ProvisionFailureSchema, { status: ProvisionStatus.CLASSIC_MAPS_ADDED });
  expect(placeOf(create(ProvisionSchema, { status: ProvisionStatus.FAILED, failure }))).toBe(
    WAY.indexOf(ProvisionStatus.CLASSIC_MAPS_ADDED),
  );
  expect(placeOf(create(ProvisionSchema, { status: ProvisionStatus.PENDING_PROFILE_REVIEW }))).toBe(
    WAY.indexOf(ProvisionStatus.STARTED),
  );
  expect(BLOCKED.map((status) => needOf({ status }))).not.toContain("runs");
});

test.each([
  ["5", "en-US", 500n],
  ["5.5", "en-US", 550n],
  ["$1,205.07", "en-US", 120_507n],
  ["1 205,07 $", "fr-CA", 120_507n],
  [",5", "fr-CA", 50n],
  ["5.005", "en-US", null],
  ["", "en-US", null],
  ["5.0.0", "en-US", null],
])("%s in %s is %s", (text, locale, minor) => {
  expect(minorOf(text, locale)).toBe(minor);
});
