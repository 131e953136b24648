import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { OfferSchema } from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { ProductFamily, ProductSchema } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { PricedLineSchema } from "@pavise/schema/pavise/catalog/v1/selection_pb";
import { Currency } from "@pavise/schema/pavise/common/v1/money_pb";
import { ItemType } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import {
  Collection,
  OfferItemType,
  SubscriptionItemSchema,
  SubscriptionSchema,
  SubscriptionStatus,
} from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { EntitlementSchema, EntitlementStatus } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { PlanChangeSchema, ProvisionSchema, ProvisionStatus } from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import { expect, test } from "vitest";
import type { Plan } from "../shop/catalog.ts";
import { amountsOf, askedOf, changeablePlans, itemsAfter, keptSupplements, targetsOf } from "./plan-change.ts";

const names = (held: { productId: string; tierId: string }, plans: readonly Plan[]) =>
  targetsOf(held, plans).map(({ plan, tierId }) => `${plan.product.id} ${tierId}`);
const line = (type: ItemType, amount: bigint, creditId = "") => ({ type, creditId, amount: { amount } });
const of = (status: ProvisionStatus, planChange: MessageInitShape<typeof PlanChangeSchema> = {}, reason = "") =>
  create(ProvisionSchema, {
    status,
    planChange: create(PlanChangeSchema, { entitlementId: "plan", ...planChange }),
    ...(reason ? { failure: { reason } } : {}),
  });
const usd = (amount: bigint) => ({ currency: Currency.USD, amount });

/** A product with tiers, in an offer of its own. */
function sold(id: string, family: ProductFamily, tiers: readonly string[], supplements: readonly string[] = []): Plan {
  const product = create(ProductSchema, {
    id,
    family,
    tiers: tiers.map((tier) => ({ id: tier })),
    supplements: supplements.map((one) => ({ id: one })),
  });
  return {
    offer: create(OfferSchema, { id: `offer of ${id}` }),
    product,
    tiers: product.tiers,
    supplements: product.supplements,
  };
}

const LEGAL = sold("legal", ProductFamily.LEGAL, ["single", "family"], ["trial"]);
const PLUS = sold("plus", ProductFamily.LEGAL, ["family"]);
const IDENTITY = sold("identity", ProductFamily.IDENTITY, ["single"]);

test("a member changes a running plan that they pay, and no other", () => {
  const running = { status: SubscriptionStatus.ACTIVE, collection: Collection.CHARGE };
  const plan = create(EntitlementSchema, { id: "plan", subscriptionId: "s", status: EntitlementStatus.ACTIVE });
  const through = create(EntitlementSchema, { ...plan, id: "through", groupId: "acme" });
  const other = create(EntitlementSchema, { ...plan, id: "other", subscriptionId: "t" });
  const found = (init: MessageInitShape<typeof SubscriptionSchema>) =>
    changeablePlans(create(SubscriptionSchema, { id: "s", ...init }), [plan, through, other]).map(({ id }) => id);
  expect(found(running)).toEqual(["plan"]);
  for (const init of [
    { ...running, status: SubscriptionStatus.SUSPENDED },
    { ...running, collection: Collection.GROUP },
    { ...running, collection: Collection.BY_INVOICE },
    { ...running, scheduledCancelOn: { year: 2026, month: 5, day: 1 } },
    { ...running, change: { offerId: "waits" } },
  ])
    expect(found(init)).toEqual([]);
});

test("a plan can become another tier of its family, each once", () => {
  const all = [LEGAL, PLUS, IDENTITY, LEGAL];
  expect(names({ productId: "legal", tierId: "single" }, all)).toEqual(["legal family", "plus family"]);
  expect(names({ productId: "identity", tierId: "single" }, all)).toEqual([]);
  const gone = { productId: "gone", tierId: "single" };
  expect(names(gone, [LEGAL, IDENTITY])).toEqual(["legal single", "legal family", "identity single"]);
});

test("the items of other products stay, and the new plan has its prices", () => {
  const items = ["legal", "identity"].map((productId) =>
    create(SubscriptionItemSchema, { type: OfferItemType.PRODUCT, productId, price: usd(100n) }),
  );
  const [family] = targetsOf({ productId: "legal", tierId: "single" }, [LEGAL]);
  if (!family) throw new Error("nothing is sold");
  expect(keptSupplements({ supplementIds: ["trial", "gone"] }, family)).toEqual(["trial"]);
  const lines = [
    create(PricedLineSchema, { productId: "legal", name: "Legal", family: "lgl", renewalPrice: usd(3495n) }),
    create(PricedLineSchema, { productId: "legal", supplementId: "trial", name: "Trial", renewalPrice: usd(900n) }),
    create(PricedLineSchema, { productId: "legal", supplementId: "free", name: "Free", renewalPrice: usd(0n) }),
  ];
  const after = itemsAfter(items, { productId: "legal", tierId: "single" }, family, lines);
  expect(after.map((one) => [one.type, one.productId, one.tierId, one.supplementId, one.price?.amount])).toEqual([
    [OfferItemType.PRODUCT, "identity", "", "", 100n],
    [OfferItemType.PRODUCT, "legal", "family", "", 3495n],
    [OfferItemType.SUPPLEMENT, "legal", "family", "trial", 900n],
  ]);
});

test("the amounts are what is charged, its taxes, what is taken off, and the credits", () => {
  expect(
    amountsOf([
      line(ItemType.SUBSCRIPTION, 2330n),
      line(ItemType.TAX, 192n),
      line(ItemType.DISCOUNT, -1997n),
      line(ItemType.TAX, -165n),
      line(ItemType.DISCOUNT, -100n, "credit"),
      // It keeps the total of what is cheaper at zero.
      line(ItemType.TRANSACTION, 50n),
    ]),
  ).toEqual({ on: 2330n, tax: 192n, off: 2162n, credit: 100n });
});

test("a change waits, is being made, or was refused; the newest counts", () => {
  const effectiveOn = { year: 2026, month: 5, day: 1 };
  const waits = of(ProvisionStatus.PENDING_PLAN_CHANGE, { effectiveOn });
  const failed = of(ProvisionStatus.FAILED, {}, "PRICE_CHANGED");
  expect(askedOf("plan", [waits])?.kind).toBe("waits");
  expect(askedOf("plan", [of(ProvisionStatus.PENDING_PLAN_CHANGE)])?.kind).toBe("underWay");
  expect(askedOf("plan", [of(ProvisionStatus.IN_PROGRESS), failed])?.kind).toBe("underWay");
  expect(askedOf("plan", [failed])).toMatchObject({ kind: "refused", reason: "PRICE_CHANGED" });
  for (const over of [ProvisionStatus.COMPLETED, ProvisionStatus.DELETED])
    expect(askedOf("plan", [of(over), failed])).toBeUndefined();
  expect(askedOf("other", [failed])).toBeUndefined();
});
