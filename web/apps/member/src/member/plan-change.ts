// The rules of a change of plan: what can be changed, the items that are billed then, and the amounts of a preview.
import { create } from "@bufbuild/protobuf";
import type { PricedLine } from "@pavise/schema/pavise/catalog/v1/selection_pb";
import type { Money } from "@pavise/schema/pavise/common/v1/money_pb";
import { ItemType, type InvoiceItem } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import {
  Collection,
  OfferItemType,
  SubscriptionItemSchema,
  SubscriptionStatus,
  type Subscription,
  type SubscriptionItem,
} from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { ProvisionStatus, type Provision } from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import type { Plan } from "../shop/catalog.ts";

type Changed = Pick<Subscription, "id" | "status" | "collection" | "scheduledCancelOn" | "change">;

/** The plans of a subscription that the member can change: it runs, no end is set, and the member is charged for it. */
export function changeablePlans(subscription: Changed, plans: readonly Entitlement[]): Entitlement[] {
  const { status, collection, scheduledCancelOn, change } = subscription;
  const runs = status === SubscriptionStatus.ACTIVE && scheduledCancelOn === undefined;
  // Where it is not known yet how the money comes in, the server finds it out.
  const isCharged = collection === Collection.CHARGE || collection === Collection.UNSPECIFIED;
  if (!runs || !isCharged || change !== undefined) return [];
  return plans.filter(
    (plan) =>
      plan.subscriptionId === subscription.id && plan.groupId === "" && plan.status === EntitlementStatus.ACTIVE,
  );
}

/** A tier of a product that the plan can become. */
export type Target = { readonly key: string; readonly plan: Plan; readonly tierId: string };

type Held = Pick<Entitlement, "productId" | "tierId">;

/** The plans that the plan can become: the tiers of the products of its family, without the one that it has. */
export function targetsOf(held: Held, plans: readonly Plan[]): Target[] {
  const family = plans.find(({ product }) => product.id === held.productId)?.product.family;
  const related = plans.filter(({ product }) => family === undefined || product.family === family);
  const targets = related.flatMap((plan) =>
    plan.tiers.map(({ id }) => ({ key: `${plan.offer.id} ${plan.product.id} ${id}`, plan, tierId: id })),
  );
  const isHeld = ({ plan, tierId }: Target) => plan.product.id === held.productId && tierId === held.tierId;
  const sameTier = (one: Target) => (other: Target) =>
    other.plan.product.id === one.plan.product.id && other.tierId === one.tierId;
  return targets.filter((one, at) => !isHeld(one) && targets.findIndex(sameTier(one)) === at);
}

/** The supplements of the plan that the target has, too. */
export function keptSupplements({ supplementIds }: Pick<Entitlement, "supplementIds">, { plan }: Target): string[] {
  return supplementIds.filter((id) => plan.supplements.some((one) => one.id === id));
}

/** The items of the subscription after the change: those of its other products, then those of the new plan. */
export function itemsAfter(
  items: readonly SubscriptionItem[],
  held: Held,
  { plan, tierId }: Target,
  lines: readonly PricedLine[],
): SubscriptionItem[] {
  const others = items.filter(({ productId }) => productId !== held.productId && productId !== plan.product.id);
  const priced = lines.filter(({ renewalPrice }) => (renewalPrice?.amount ?? 0n) > 0n);
  const added = priced.map((line) =>
    create(SubscriptionItemSchema, {
      type: line.supplementId === "" ? OfferItemType.PRODUCT : OfferItemType.SUPPLEMENT,
      productId: line.productId,
      tierId: line.tierId || tierId,
      supplementId: line.supplementId,
      name: line.name || plan.product.id,
      family: line.family,
      ...(line.renewalPrice ? { price: line.renewalPrice } : {}),
    }),
  );
  return [...others, ...added];
}

/** The amounts of a preview's invoice, in minor units: charges, their taxes, what is taken off, the credits used. */
export type Amounts = { readonly on: bigint; readonly tax: bigint; readonly off: bigint; readonly credit: bigint };

type Line = Pick<InvoiceItem, "type" | "creditId"> & { amount?: Pick<Money, "amount"> | undefined };

/** Sums up the items of a preview's invoice. The item that keeps a total at zero is none of them. */
export function amountsOf(items: readonly Line[]): Amounts {
  const sums = { on: 0n, tax: 0n, off: 0n, credit: 0n };
  for (const { type, creditId, amount } of items) {
    const value = amount?.amount ?? 0n;
    if (creditId !== "") sums.credit -= value;
    else if (value < 0n) sums.off -= value;
    else if (type === ItemType.TAX) sums.tax += value;
    else if (type !== ItemType.TRANSACTION) sums.on += value;
  }
  return sums;
}

/** The state of a change that was asked for. */
export type Asked =
  | { readonly kind: "waits" | "underWay"; readonly provision: Provision }
  | { readonly kind: "refused"; readonly provision: Provision; readonly reason: string };

/** The newest change of a plan, unless it is over: made or withdrawn. The list runs newest first. */
export function askedOf(planId: string, provisions: readonly Provision[]): Asked | undefined {
  const provision = provisions.find(({ planChange }) => planChange?.entitlementId === planId);
  if (provision === undefined) return undefined;
  switch (provision.status) {
    case ProvisionStatus.COMPLETED:
    case ProvisionStatus.DELETED:
      return undefined;
    case ProvisionStatus.FAILED:
      return { kind: "refused", provision, reason: provision.failure?.reason ?? "" };
    case ProvisionStatus.PENDING_PLAN_CHANGE:
      return { kind: provision.planChange?.effectiveOn ? "waits" : "underWay", provision };
    default:
      return { kind: "underWay", provision };
  }
}
