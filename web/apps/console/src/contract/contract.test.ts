import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, equals } from "@bufbuild/protobuf";
import { compile, draftOf } from "@pavise/descform/compile.ts";
import { constraintsOf } from "@pavise/descform/constraints.ts";
import { filled } from "@pavise/descform/filled.ts";
import { Realm, ScopeKind } from "@pavise/schema/pavise/contract/v1/options_pb";
import { expect, test } from "vitest";
import { may, mayAsOwner, refusalOf, type Caller } from "./caller.ts";
import { contractOf } from "./load.ts";
import { rolesIn, type Operation } from "./operation.ts";
import {
  actionsOf,
  allowedFrom,
  childrenOf,
  getOf,
  journalOf,
  listsOf,
  orderNumber,
  parentOf,
  screenOf,
} from "./screens.ts";
import { startsFromRecord } from "./start.ts";

const file = fileURLToPath(new URL("../../../../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));
const named = (id: string) => contract.operations.find((operation) => operation.id.endsWith(id)) as Operation;
const staff: Caller = { identityId: "me", realm: Realm.INTERNAL, permissions: ["*"], scopes: [] };

test("the contract is read: operations, entities, services", () => {
  expect(contract.operations.length).toBeGreaterThan(150);
  expect(contract.services.map(({ name }) => name)).toContain("payment_methods");
  expect(contract.entities.map(({ name }) => name)).toContain("Order");
});

test.each(contract.operations.map((operation) => [operation.id, operation] as const))(
  "%s has a screen",
  (_id, operation) => {
    const { screen, path } = screenOf(operation);
    expect(path).toMatch(/^\/(r|x|journal)\//);
    if (operation.answers === "many") expect(screen).toBe("grid");
    if (operation.kind === "journal") expect(screen).toBe("timeline");
    if (operation.kind === "create") expect(screen).toBe("form");
    if (screen === "record" || screen === "dialog") expect(operation.idField).toBeDefined();
    // An action on a record's page is reachable only if the record can be read.
    if (screen === "dialog" && operation.entity !== undefined) {
      const reachable = getOf(contract, operation.entity) ?? journalOf(contract, operation.entity.service);
      expect(reachable).toBeDefined();
    }
  },
);

test.each(contract.operations.map((operation) => [operation.id, operation] as const))(
  "the request of %s goes through a form unchanged",
  (_id, { method }) => {
    const context = { registry: contract.registry, constraints: () => ({ required: false }) };
    for (const message of [create(method.input), filled(method.input)]) {
      const compiled = compile(method.input, draftOf(method.input, message, contract.registry), context);
      expect(compiled.faults).toEqual([]);
      expect(compiled.message !== undefined && equals(method.input, compiled.message, message)).toBe(true);
    }
  },
);

test("an operation says what the contract says of it", () => {
  const purchase = named("OrderService/PurchaseOrder");
  expect(purchase).toMatchObject({ domain: "orders", service: "orders", reads: false, kind: "custom" });
  expect(purchase.rest.map(({ method }) => method)).toContain("POST");
  expect(purchase.entity?.name).toBe("Order");
  expect(purchase.idField?.name).toBe("order_id");
  expect(purchase.from).toContain("OPEN");
  const order = purchase.entity;
  expect(order?.statuses).toContain("PARTIALLY_FUNDED");
  expect(order && listsOf(contract, order).length).toBeGreaterThan(0);
  expect(order && actionsOf(contract, order)).toContain(purchase);
});

test("a child belongs to its parent's page, in the order that the contract says", () => {
  const order = named("OrderService/GetOrder").entity!;
  const [note] = childrenOf(contract, order);
  expect(note).toMatchObject({ name: "OrderNote", service: "orders", parent: { field: "order_id" } });
  expect(parentOf(contract, note!)).toBe(order);
  expect(parentOf(contract, order)).toBeUndefined();
  const list = named("OrderNoteService/ListOrderNotes");
  expect([list.orderField, orderNumber(list, "PINNED_FIRST"), orderNumber(list, "")]).toEqual([
    "order_by",
    1,
    undefined,
  ]);
});

test("the rules of fields are known without the server", () => {
  const constraints = constraintsOf(contract.registry);
  const { input } = named("OrderService/ListOrders").method;
  expect(constraints(input.field["identityId"]!)).toMatchObject({ required: true, minLength: 1, maxLength: 64 });
  expect(constraints(input.field["pageSize"]!)).toMatchObject({ required: false, least: 0, most: 500 });
});

test("an operation is offered from the statuses it names, or from any that is not terminal", () => {
  expect(allowedFrom(named("OrderService/PurchaseOrder"), "PROVISIONED")).toBe(false);
  expect(allowedFrom(named("OrderService/PurchaseOrder"), "OPEN")).toBe(true);
});

test("a call whose request names the status offers those that follow", () => {
  const update = named("ProvisionService/UpdateStatus");
  expect(update.toField).toBe("status");
  expect(update.leads("POTENTIAL_REINSTATEMENT")).toEqual(["REINSTATE_CHECKED", "DELETED"]);
  expect(update.leads("COMPLETED")).toEqual([]);
  expect(update.fresh.has("status")).toBe(true);
});

test("items that a call adds or removes do not start from those of the record", () => {
  expect([...named("ProductService/AddTiers").fresh]).toEqual(["tiers"]);
  expect([...named("ProductService/RemoveStateVariants").fresh]).toEqual(["regions"]);
  expect([...named("ProductService/UpdateTiers").fresh]).toEqual([]);
});

const group = (role: string) => ({ kind: ScopeKind.GROUP, id: "acme", roles: [role] });

test("what the caller's role in a group does not admit is not offered", () => {
  const boss: Caller = { identityId: "me", realm: Realm.GROUP_ADMIN, permissions: [], scopes: [] };
  const list = named("PaymentMethodService/ListGroupPaymentMethods");
  expect(rolesIn(list, ScopeKind.GROUP)).toEqual(["GROUP_ADMINISTRATOR"]);
  expect(rolesIn(list, ScopeKind.DIVISION)).toEqual([]);
  expect(may(list, { ...boss, scopes: [group("GROUP_ADMINISTRATOR")] })).toBe(true);
  expect(refusalOf(list, { ...boss, scopes: [group("FILE_ADMINISTRATOR")] })).toBe("role");
  const orders = named("OrderService/ListOrders");
  expect(rolesIn(orders, ScopeKind.GROUP)).toContain("CUSTOMER_SERVICE_REPRESENTATIVE");
  expect(may(orders, { ...boss, scopes: [group("FILE_ADMINISTRATOR")] })).toBe(true);
});

test("people need no permission for what is their own", () => {
  const partner: Caller = { identityId: "me", realm: Realm.PARTNER, permissions: [], scopes: [] };
  for (const name of ["FactorService/ListFactors", "SessionService/ListSessions", "IdentityService/UpdateSettings"]) {
    expect(refusalOf(named(name), partner)).toBe("permission");
    expect(refusalOf(named(name), partner, true)).toBeUndefined();
  }
  expect(mayAsOwner(named("IdentityService/UpdatePassword"), partner)).toBe(true);
  expect(mayAsOwner(named("FactorService/CreateFactor"), partner)).toBe(true);
  expect(mayAsOwner(named("TokenService/RotateKey"), partner)).toBe(false);
});

test("what the caller may not do is not offered", () => {
  const write = contract.operations.find(
    ({ reads, realms, impersonation }) => !reads && realms.includes(Realm.USER) && impersonation === 0,
  ) as Operation;
  const read = named("OrderService/GetOrder");
  expect(may(read, staff)).toBe(true);
  expect(refusalOf(read, { ...staff, permissions: ["billing.*"] })).toBe("permission");
  expect(may(read, { ...staff, permissions: ["orders.*"] })).toBe(true);
  expect(refusalOf(named("TokenService/RotateKey"), { ...staff, realm: Realm.PARTNER })).toBe("realm");
  expect(refusalOf(write, { ...staff, realm: Realm.USER, actor: { id: "staff", mayWrite: false } })).toBe(
    "impersonation",
  );
  expect(may(write, { ...staff, realm: Realm.USER, actor: { id: "staff", mayWrite: true } })).toBe(true);
  expect(may(read, { ...staff, realm: Realm.USER, actor: { id: "staff", mayWrite: false } })).toBe(true);
});

test("another product is chosen from what the plan has, without its version and contracts", () => {
  const change = named("EntitlementService/ChangeProduct");
  const starts = change.method.input.fields.filter((field) => {
    const same = change.entity?.desc.fields.find(({ name }) => name === field.name);
    return same !== undefined && startsFromRecord(change, field, same);
  });
  expect(starts.map(({ name }) => name)).toEqual(["product_id", "tier_id", "supplement_ids", "name", "family"]);
});
