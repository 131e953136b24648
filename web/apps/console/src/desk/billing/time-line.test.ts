import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { InvoiceSchema, InvoiceStatus } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { SubscriptionSchema, SubscriptionStatus } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { expect, test } from "vitest";
import { piecesOf, scaleOf, suspensionsOf } from "./time-line.ts";

const march = (day: number) => ({ year: 2027, month: 3, day });
const TODAY = march(10);
const nothing = create(SubscriptionSchema, {});
const invoice = (init: MessageInitShape<typeof InvoiceSchema>) => create(InvoiceSchema, init);
const words = (pieces: ReturnType<typeof piecesOf>) =>
  pieces.map(
    ({ meaning, from, until, tone }) => `${meaning} ${from.month}/${from.day}–${until.month}/${until.day} ${tone}`,
  );

test("an unpaid period is shown with its tries, its hold and its next try", () => {
  const at = { seconds: BigInt(Date.UTC(2027, 2, 4, 12) / 1000) };
  const unpaid = {
    status: InvoiceStatus.FAILED,
    periodFrom: march(1),
    periodUntil: march(31),
    dueOn: march(1),
    heldUntil: march(20),
    dueToCollectOn: march(21),
    payments: [
      { status: TransactionStatus.DECLINED, at },
      { status: TransactionStatus.CREATED, at },
    ],
  };
  expect(words(piecesOf(nothing, [invoice(unpaid)], [], TODAY))).toEqual([
    "period 3/1–3/31 warning",
    "due 3/1–3/1 warning",
    "try 3/4–3/4 bad",
    "try 3/4–3/4 busy",
    "hold 3/10–3/20 over",
    "collect 3/21–3/21 busy",
  ]);
  const over = invoice({ ...unpaid, heldUntil: march(9) });
  expect(words(piecesOf(nothing, [over], [], TODAY)).some((text) => text.startsWith("hold"))).toBe(false);
});

test("the days that come are the bill, the next step, the change and the end", () => {
  const coming = create(SubscriptionSchema, {
    billsOn: { year: 2027, month: 4, day: 1 },
    dueToDunOn: march(30),
    change: { effectiveOn: march(15) },
    dueToEndOn: "2027-05-01",
  });
  expect(words(piecesOf(coming, [], [], TODAY))).toEqual([
    "change 3/15–3/15 warning",
    "dun 3/30–3/30 bad",
    "bill 4/1–4/1 good",
    "end 5/1–5/1 over",
  ]);
});

test("a suspension lasts from its day to the day on which it is over, or to today", () => {
  const { ACTIVE, SUSPENDED, PRECANCEL } = SubscriptionStatus;
  const standings = [
    { from: march(1), status: ACTIVE },
    { from: march(2), status: SUSPENDED },
    { from: march(3), status: SUSPENDED },
    { from: march(5), status: ACTIVE },
    { from: march(8), status: SUSPENDED },
  ];
  expect(words(suspensionsOf(standings, TODAY))).toEqual(["suspended 3/2–3/5 bad", "suspended 3/8–3/10 bad"]);
  expect(words(suspensionsOf([...standings, { from: march(9), status: PRECANCEL }], TODAY)).at(-1)).toBe(
    "suspended 3/8–3/9 bad",
  );
});

/** A paid period of that year. */
const period = (year: number) =>
  invoice({
    status: InvoiceStatus.PAID,
    periodFrom: { year, month: 3, day: 1 },
    periodUntil: { year, month: 3, day: 31 },
  });

test("what ended long ago is left out, and the scale holds all others", () => {
  const pieces = piecesOf(nothing, [period(2027), period(2025)], [], TODAY);
  expect(pieces.length).toBe(1);
  const { first, last, at } = scaleOf(pieces, TODAY);
  expect([first, last]).toMatchObject([march(1), march(31)]);
  expect(at(march(1))).toBe(0);
  expect(at(march(16))).toBeGreaterThan(45);
  expect(at(march(16))).toBeLessThan(50);
  expect(at({ year: 2030, month: 1, day: 1 })).toBe(100);
});
