// Who is covered: as the member said when the plans were ordered.
import { AuthorizedUserType, OrderStatus } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { useOrders } from "./holdings.ts";

/** Somebody who is covered. */
export type Covered = { key: string; name: string; kind: string };

/** The holder's name and everybody else, from the orders that became plans. */
export function usePeople() {
  const orders = useOrders();
  const bought = orders.data?.orders.filter(({ status }) => status === OrderStatus.PROVISIONED);
  const found = new Map<string, Covered>();
  for (const person of bought?.flatMap((order) => order.authorizedUsers) ?? []) {
    const name = `${person.firstName} ${person.lastName}`.trim();
    const kind = AuthorizedUserType[person.type] ?? "";
    found.set(`${kind} ${name}`, { key: `${kind} ${name}`, name, kind });
  }
  const holder = bought?.find(({ personalInfo }) => personalInfo)?.personalInfo;
  return {
    data: bought
      ? { holder: holder ? `${holder.firstName} ${holder.lastName}`.trim() : "", covered: [...found.values()] }
      : undefined,
    error: orders.error,
    isFetching: orders.isFetching,
    refetch: orders.refetch,
  };
}
