// The desks: hand-made pages for work on several records at once. Each desk claims its entities.
import { key } from "@pavise/i18n/key.ts";
import type { Console } from "../console/console.ts";
import type { Entity } from "../contract/operation.ts";

/** A desk, and the entities whose records link to it. */
export interface Desk {
  readonly path: string;
  readonly label: string;
  /** Pressed after `g` to go there. It is a capital because lists have the small letters. */
  readonly key: string;
  /** The call that the desk needs at least: `OrderService/GetOrder`. */
  readonly needs: string;
  /** The page of a record at the desk. */
  readonly records: Readonly<Record<string, (id: string, ownerId: string) => string>>;
}

const at = (path: string) => (id: string) => `${path}/${encodeURIComponent(id)}`;

/** All desks, in the order of the navigation. */
export const DESKS: readonly Desk[] = [
  {
    path: "/desk/identities",
    label: key("Identity desk"),
    key: "I",
    needs: "IdentityService/GetIdentity",
    records: { "identity.Identity": at("/desk/identities") },
  },
  {
    path: "/desk/orders",
    label: key("Order desk"),
    key: "O",
    needs: "OrderService/GetOrder",
    records: { "orders.Order": at("/desk/orders") },
  },
  {
    path: "/desk/refunds",
    label: key("Invoices and refunds"),
    key: "R",
    needs: "InvoiceService/ListInvoices",
    records: {
      "billing.Invoice": (id, ownerId) =>
        `/desk/refunds?member=${encodeURIComponent(ownerId)}&invoice=${encodeURIComponent(id)}`,
    },
  },
  {
    path: "/desk/provisioning",
    label: key("Provisioning repair"),
    key: "P",
    needs: "ProvisionService/ListProvisions",
    records: { "fulfillment.Provision": at("/desk/provisioning") },
  },
  {
    path: "/desk/catalog",
    label: key("Catalogue desk"),
    key: "C",
    needs: "ProductService/ListProducts",
    records: { "catalog.Product": at("/desk/catalog/products"), "catalog.Offer": at("/desk/catalog/offers") },
  },
];

/** The desks that the caller can work at. Desks are for staff: each shows data of other identities. */
export function openDesks({ contract, may, caller }: Console): Desk[] {
  if (caller.actor !== undefined) return [];
  return DESKS.filter(
    ({ needs }) => may(contract.operations.find(({ id }) => id.endsWith(`.${needs}`))) && caller.permissions.length > 0,
  );
}

/** The page of a record at its desk; undefined when the caller has no such desk. */
export function deskPath(known: Console, entity: Entity, id: string, ownerId: string): string | undefined {
  const name = `${entity.domain}.${entity.name}`;
  return openDesks(known)
    .find(({ records }) => Object.hasOwn(records, name))
    ?.records[name]?.(id, ownerId);
}
