// The lists of a group's records, as far as the caller's roles in the group admit them.
import { Realm } from "@pavise/schema/pavise/contract/v1/options_pb";
import type { Console } from "../console/console.ts";
import { mayWithin } from "../contract/caller.ts";
import type { Entity, Operation } from "../contract/operation.ts";

/** The calls that list the records of the group in the field `group_id`, in the order of the start page. */
export const GROUP_LISTS = [
  "groups.v1.EmployeeService/ListEmployees",
  "groups.v1.GroupEnrollmentService/ListEnrollmentsOfGroup",
  "orders.v1.OrderService/SearchOrders",
  "billing.v1.SubscriptionService/ListGroupSubscriptions",
] as const;

/** A group with its divisions: the scopes in which people have roles. */
interface GroupScopes {
  readonly id: string;
  readonly divisionIds: readonly string[];
}

/** Whether the console begins at the caller's groups. */
export function beginsAtGroups({ contract, caller, may }: Console): boolean {
  return (
    caller.realm === Realm.GROUP_ADMIN &&
    may(contract.operations.find(({ id }) => id === "pavise.groups.v1.GroupService/ListGroups"))
  );
}

/** Whether the caller may make the call about the group. */
export function mayInGroup(
  { caller }: Pick<Console, "caller">,
  { id, divisionIds }: GroupScopes,
  operation: Operation | undefined,
): operation is Operation {
  return operation !== undefined && mayWithin(operation, caller, [id, ...divisionIds]);
}

/** The group's lists that the caller may read. */
export function groupListsOf(
  { contract, caller }: Pick<Console, "contract" | "caller">,
  group: GroupScopes,
): { operation: Operation; entity: Entity }[] {
  return GROUP_LISTS.flatMap((name) => {
    const operation = contract.operations.find(({ id }) => id === `pavise.${name}`);
    const entity = operation?.entity;
    return entity !== undefined && mayInGroup({ caller }, group, operation) ? [{ operation, entity }] : [];
  });
}
