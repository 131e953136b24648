import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { InvoiceSchema } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { Currency } from "@pavise/schema/pavise/common/v1/money_pb";
import { OrderSchema } from "@pavise/schema/pavise/orders/v1/order_pb";
import { OrderStatus, SubscriptionAction } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { expect, test } from "vitest";
import { againAfter, backOf, isGoingBack, mayBeCancelled, plansOn } from "./cancelling.ts";

const TODAY = { year: 2027, month: 3, day: 10 };
const at = (text: string) => timestampFromDate(new Date(text));
const usd = (amount: bigint) => ({ currency: Currency.USD, amount });
type Init = MessageInitShape<typeof OrderSchema>;

/** An order of nine days ago, with changes. */
const order = (init: Init = {}) =>
  create(OrderSchema, {
    id: "order",
    status: OrderStatus.PROVISIONED,
    purchasedAt: at("2027-03-01T12:00:00Z"),
    totals: { total: usd(2995n) },
    offers: [
      {
        invoiceId: "first",
        subscriptionId: "subscription",
        subscriptionAction: SubscriptionAction.CREATE,
        lines: [{ name: "Legal Plan" }, { name: "Trial Defense", supplementId: "trial" }],
      },
    ],
    ...init,
  } as Init);

const CANCELLED_AT = "2027-03-10T12:00:00Z";
const later = (seconds: number) => Date.parse(CANCELLED_AT) + seconds * 1000;
const invoice = (id: string, init: MessageInitShape<typeof InvoiceSchema>) =>
  create(InvoiceSchema, { id, ...init } as typeof init);

test("the server is asked about orders that are set up and extend nothing", () => {
  expect(mayBeCancelled(order(), TODAY)).toBe(true);
  const others: Init[] = [
    { status: OrderStatus.OPEN },
    { cancellation: { at: at("2027-03-02T12:00:00Z") } },
    { entitlementId: "plan" },
    { offers: [{ subscriptionAction: SubscriptionAction.UPDATE }] },
    { purchasedAt: at("2026-03-09T12:00:00Z") },
  ];
  for (const init of others) expect(mayBeCancelled(order(init), TODAY)).toBe(false);
  // How many days there are is the server's decision, up to a year.
  expect(mayBeCancelled(order({ purchasedAt: at("2026-03-10T12:00:00Z") }), TODAY)).toBe(true);
});

test("a cancelled order is read again until everything went back, and more seldom after a minute", () => {
  const cancellation = { at: at(CANCELLED_AT) };
  const begun = order({ cancellation });
  const over = order({ cancellation: { ...cancellation, finishedAt: at("2027-03-10T12:00:03Z") } });
  expect([order(), begun, over].map(isGoingBack)).toEqual([false, true, false]);
  expect(againAfter([order(), over], later(1))).toBe(false);
  expect(againAfter([over, begun], later(1))).toBe(2_000);
  expect(againAfter([begun], later(61))).toBe(15_000);
});

test("a plan is named without its supplements", () => {
  expect(plansOn(order())).toBe("Legal Plan");
});

test("what goes back was paid for the order or its subscription, and not given back before", () => {
  const { APPROVED, DECLINED } = TransactionStatus;
  const invoices = [
    invoice("first", {
      paidAmount: usd(2995n),
      refundedAmount: usd(500n),
      payments: [
        { status: DECLINED, paymentMethodId: "old card" },
        { status: APPROVED, paymentMethodId: "card" },
      ],
    }),
    invoice("second", {
      subscriptionId: "subscription",
      paidAmount: usd(1995n),
      items: [{ amount: usd(2995n) }, { creditId: "credit", amount: usd(-1000n) }],
      payments: [{ status: APPROVED, paymentMethodId: "card" }],
    }),
    invoice("another", { subscriptionId: "another", paidAmount: usd(900n) }),
    invoice("of no subscription", { paidAmount: usd(900n) }),
  ];
  const back = backOf(order(), invoices);
  expect([back.paid?.amount, back.credit?.amount, back.methodIds]).toEqual([4490n, 1000n, ["card"]]);
  expect(backOf(order(), [])).toEqual({ paid: undefined, credit: undefined, methodIds: [] });
});
