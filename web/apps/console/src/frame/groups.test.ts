import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Realm, ScopeKind } from "@pavise/schema/pavise/contract/v1/options_pb";
import { expect, test } from "vitest";
import type { Caller } from "../contract/caller.ts";
import { contractOf } from "../contract/load.ts";
import { onlyGroup } from "../list/source.ts";
import { groupListsOf, GROUP_LISTS } from "./groups.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));
const acme = { id: "acme", divisionIds: ["acme-west"] };
const inGroup = (role: string, id = acme.id) => ({ kind: ScopeKind.GROUP, id, roles: [role] });
const inDivision = (role: string) => ({ kind: ScopeKind.DIVISION, id: "acme-west", roles: [role] });

function admin(...scopes: Caller["scopes"]): Caller {
  return { identityId: "me", realm: Realm.GROUP_ADMIN, permissions: [], scopes };
}

function listsOf(caller: Caller): string[] {
  return groupListsOf({ contract, caller }, acme).map(({ operation }) => operation.name);
}

test("the calls of the start page are lists of the contract that name the group", () => {
  const calls = contract.operations.filter(({ id }) => GROUP_LISTS.some((name) => id === `pavise.${name}`));
  expect(calls.length).toBe(GROUP_LISTS.length);
  for (const { answers, method } of calls) {
    expect(answers).toBe("many");
    expect(method.input.fields.map(({ name }) => name)).toContain("group_id");
  }
});

const all = ["ListEmployees", "ListEnrollmentsOfGroup", "SearchOrders", "ListGroupSubscriptions"];

test("an administrator gets every list of the group", () => {
  expect(listsOf(admin(inGroup("GROUP_ADMINISTRATOR")))).toEqual(all);
});

test("other roles get the lists that their roles in this group admit", () => {
  expect(listsOf(admin(inGroup("FILE_ADMINISTRATOR")))).toEqual(["ListEmployees"]);
  expect(listsOf(admin(inGroup("CUSTOMER_SERVICE_REPRESENTATIVE")))).toEqual(all);
  const mixed = admin(inGroup("FILE_ADMINISTRATOR"), inGroup("GROUP_ADMINISTRATOR", "other"));
  expect(listsOf(mixed)).toEqual(["ListEmployees"]);
});

test("roles in a division get the lists in which they see something", () => {
  const west = ["ListEmployees", "ListEnrollmentsOfGroup"];
  expect(listsOf(admin(inDivision("AUTHORIZED_USER"), inGroup("FILE_ADMINISTRATOR", "other")))).toEqual(west);
  expect(listsOf(admin(inDivision("FILE_ADMINISTRATOR")))).toEqual(["ListEmployees"]);
  for (const role of ["GROUP_ADMINISTRATOR", "CUSTOMER_SERVICE_REPRESENTATIVE"]) {
    expect(listsOf(admin(inDivision(role)))).toEqual(all);
  }
});

test("a list is about the only group of its caller", () => {
  const list = contract.operations.find(({ name }) => name === "ListEmployees");
  expect(onlyGroup(admin(inGroup("AUTHORIZED_USER")), list)).toEqual({ group_id: "acme" });
  expect(onlyGroup(admin(inGroup("AUTHORIZED_USER"), inGroup("AUTHORIZED_USER", "other")), list)).toEqual({});
  expect(onlyGroup({ ...admin(inGroup("AUTHORIZED_USER")), realm: Realm.INTERNAL }, list)).toEqual({});
});
