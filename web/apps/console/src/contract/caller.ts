// The caller, as far as they decide what the console offers. The server always checks again.
import { Impersonation, Realm } from "@pavise/schema/pavise/contract/v1/options_pb";
import type { ScopeGrant } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { rolesIn, type Operation } from "./operation.ts";

/** The person who uses the console. */
export interface Caller {
  readonly identityId: string;
  readonly realm: Realm;
  /** The platform permissions: names, prefixes (`billing.*`) or all (`*`). */
  readonly permissions: readonly string[];
  /** The scopes in which the caller has roles; a group that the caller administers is one. */
  readonly scopes: readonly Pick<ScopeGrant, "kind" | "id" | "roles">[];
  /** The acting identity of an impersonation; unset otherwise. */
  readonly actor?: { readonly id: string; readonly mayWrite: boolean } | undefined;
}

/** Whether a permission is granted: by name, by a prefix or by `*`. */
export function holds(caller: Caller, permission: string): boolean {
  return caller.permissions.some((one) =>
    one.endsWith("*") ? permission.startsWith(one.slice(0, -1)) : one === permission,
  );
}

/** Why an operation is not offered; undefined when it is offered. */
export type Refusal = "realm" | "permission" | "impersonation" | "role";

/** Whether the caller may make the call, before the record is known; `own` says that they own it. */
export function refusalOf(operation: Operation, caller: Caller, own = false): Refusal | undefined {
  const open = operation.public && operation.realms.length === 0;
  if (!open && !operation.realms.includes(caller.realm)) return "realm";
  if (caller.actor !== undefined && !impersonable(operation, caller.actor.mayWrite)) return "impersonation";
  if (open || caller.realm === Realm.USER) return undefined;
  if (!hasRoles(operation, caller)) return "role";
  if (caller.realm === Realm.GROUP_ADMIN || operation.permission === "") return undefined;
  if (own && operation.ownerAdmitted) return undefined;
  return holds(caller, operation.permission) ? undefined : "permission";
}

/**
 * Whether the caller has an admitted role somewhere, for each kind of scope that the request must name. A caller with other
 * roles of that kind would be refused everywhere.
 */
function hasRoles(operation: Operation, caller: Caller): boolean {
  return operation.scopes.every(({ kind, field }) => {
    const own = caller.scopes.filter((scope) => scope.kind === kind);
    if (!operation.inPath(field) || own.length === 0) return true;
    const admitted = rolesIn(operation, kind);
    return own.some(({ roles }) => roles.some((role) => admitted.includes(role)));
  });
}

function impersonable(operation: Operation, mayWrite: boolean): boolean {
  switch (operation.impersonation) {
    case Impersonation.ALLOW:
    case Impersonation.NOTIFY:
      return true;
    case Impersonation.DENY:
      return false;
    default:
      return operation.reads || mayWrite;
  }
}

/** Whether the caller may make the call. */
export function may(operation: Operation | undefined, caller: Caller): boolean {
  return operation !== undefined && refusalOf(operation, caller) === undefined;
}

/** Whether the caller may make the call about what is their own. */
export function mayAsOwner(operation: Operation | undefined, caller: Caller): boolean {
  return operation !== undefined && refusalOf(operation, caller, true) === undefined;
}

/**
 * Whether the caller may make the call about a scope and those within it, such as a group with its divisions, by their roles
 * there. Without a known role in these scopes the server alone decides.
 */
export function mayWithin(operation: Operation, caller: Caller, ids: readonly string[]): boolean {
  const scopes = caller.scopes.filter(({ id }) => ids.includes(id));
  if (!may(operation, { ...caller, scopes })) return false;
  if (scopes.length === 0 || operation.scopes.length === 0) return true;
  return operation.scopes.some(({ kind }) =>
    scopes.some((scope) => scope.kind === kind && scope.roles.some((role) => rolesIn(operation, kind).includes(role))),
  );
}
