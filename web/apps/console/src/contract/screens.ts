// The screen of each operation. A hand-made screen claims its operations here, too.
import { enumSpelling } from "@pavise/descform/words.ts";
import { fieldSegment } from "./address.ts";
import type { Contract, Entity, Operation } from "./operation.ts";

/** Where an operation is found in the console. */
export type Screen =
  | { readonly screen: "grid"; readonly path: string }
  | { readonly screen: "record"; readonly path: string }
  | { readonly screen: "timeline"; readonly path: string }
  | { readonly screen: "dialog"; readonly path: string }
  | { readonly screen: "form"; readonly path: string };

/** The screen of an operation. Every operation has one. */
export function screenOf(operation: Operation): Screen {
  const { kind, entity, named, answers } = operation;
  const form: Screen = { screen: "form", path: formPath(operation) };
  if (entity !== undefined && answers === "many") return { screen: "grid", path: entityPath(entity) };
  if (entity !== undefined && answers === "one") return { screen: "record", path: `${entityPath(entity)}/:id` };
  switch (kind) {
    case "journal":
    case "maxClock":
    case "watch":
      return { screen: "timeline", path: `/journal/${fieldSegment(operation.service)}` };
    case "change":
    case "delete":
    case "custom":
      return entity !== undefined && named && !operation.reads
        ? { screen: "dialog", path: `${entityPath(entity)}/:id` }
        : form;
    default:
      return form;
  }
}

/** The list of an entity's records. */
export function entityPath(entity: Entity): string {
  return `/r/${fieldSegment(entity.domain)}/${entity.name}`;
}

/** The position of an entity's list in the navigation; the last for one that has none. */
export function placeOf(entity: Entity | undefined): number {
  return entity?.display?.place ?? Number.MAX_SAFE_INTEGER;
}

/** One record. */
export function recordPath(entity: Entity, id: string): string {
  return `${entityPath(entity)}/${encodeURIComponent(id)}`;
}

/** The form of an operation. */
export function formPath(operation: Operation): string {
  return `/x/${operation.group}/${operation.name}`;
}

/** The operations that list an entity's records. */
export function listsOf(contract: Contract, entity: Entity): Operation[] {
  return contract.operations.filter((operation) => operation.answers === "many" && operation.entity === entity);
}

/** The entities whose records are children of this one's. */
export function childrenOf(contract: Contract, entity: Entity): Entity[] {
  return contract.entities.filter(
    ({ domain, parent }) => parent?.aggregate === entity.name && domain === entity.domain,
  );
}

/** The entity whose records are the parents of this one's. */
export function parentOf(contract: Contract, entity: Entity): Entity | undefined {
  return contract.entities.find(({ name, domain }) => name === entity.parent?.aggregate && domain === entity.domain);
}

/** The value of a list's order by its spelling; undefined for an order that the list does not have. */
export function orderNumber({ method, orderField }: Operation, spelling: string): number | undefined {
  const field = method.input.fields.find(({ name }) => name === orderField);
  const order = field?.enum;
  return order?.values.find(({ number }) => number !== 0 && enumSpelling(order, number) === spelling)?.number;
}

/** The operation that finds an entity's records by the start of their names, for all owners. */
export function searchOf(contract: Contract, entity: Entity): Operation | undefined {
  return listsOf(contract, entity).find(({ searches }) => searches !== "");
}

/** The operation that returns one record. */
export function getOf(contract: Contract, entity: Entity): Operation | undefined {
  const all = contract.operations.filter((operation) => operation.answers === "one" && operation.entity === entity);
  return all.find(({ kind, name }) => kind === "get" || name === `Get${entity.name}`) ?? all[0];
}

/** The operation that answers a record with the values that are else masked. */
export function revealOf(contract: Contract, entity: Entity): Operation | undefined {
  return contract.operations.find((operation) => operation.entity === entity && operation.reveals !== "");
}

/** The actions on a record: every operation that names it. */
export function actionsOf(contract: Contract, entity: Entity): Operation[] {
  return contract.operations.filter(
    (operation) => operation.entity === entity && screenOf(operation).screen === "dialog",
  );
}

/** The journal that holds an entity's changes. */
export function journalOf(contract: Contract, service: string): Operation | undefined {
  return contract.operations.find((operation) => operation.kind === "journal" && operation.service === service);
}

/** Whether an operation is allowed from a status: one that it names, or any that is not terminal. */
export function allowedFrom(operation: Operation, status: string): boolean {
  if (operation.from.length > 0) return operation.from.includes(status);
  return operation.entity === undefined || !operation.entity.terminal.has(status);
}
