// A subscription on one line of time: its periods, tries and suspensions, and the days that come.
import { addDays, dayAt, dayOf, daysBetween, type Day } from "@pavise/rpc/day.ts";
import { InvoiceStatus, type Invoice, type InvoicePayment } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { SubscriptionStatus, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { TransactionStatus } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import type { Tone } from "@pavise/ui/Value.tsx";

/** The tracks of the line, from above. */
export const TRACKS = ["periods", "invoices", "tries", "suspended", "next"] as const;
export type Track = (typeof TRACKS)[number];

/** The meaning of a piece of the line. */
export type Meaning = "period" | "due" | "try" | "suspended" | "bill" | "collect" | "hold" | "dun" | "change" | "end";

/** A piece of the line: some days, or one. */
export interface Piece {
  readonly track: Track;
  readonly meaning: Meaning;
  readonly from: Day;
  /** The last day. */
  readonly until: Day;
  readonly tone: Tone;
  readonly invoice?: Invoice;
  readonly payment?: InvoicePayment;
}

/** The status of a subscription from a day on. */
export interface Standing {
  readonly from: Day;
  readonly status: SubscriptionStatus;
}

/** The days that are shown before today. */
const BACK = 400;

const DEBT_TONES: Readonly<Partial<Record<InvoiceStatus, Tone>>> = {
  [InvoiceStatus.ACTIVE]: "busy",
  [InvoiceStatus.PAID]: "good",
  [InvoiceStatus.PARTIALLY_FUNDED]: "warning",
  [InvoiceStatus.FAILED]: "warning",
  [InvoiceStatus.DELINQUENT]: "bad",
};

const TRY_TONES: Readonly<Partial<Record<TransactionStatus, Tone>>> = {
  [TransactionStatus.APPROVED]: "good",
  [TransactionStatus.DECLINED]: "bad",
  [TransactionStatus.HARD_DECLINED]: "bad",
};

/** The pieces of the line in the order of their days. Those that ended long ago are left out. */
export function piecesOf(
  subscription: Subscription,
  invoices: readonly Invoice[],
  standings: readonly Standing[],
  today: Day,
): Piece[] {
  const first = addDays(today, -BACK);
  return [
    ...invoices.flatMap((invoice) => ofInvoice(invoice, today)),
    ...suspensionsOf(standings, today),
    ...nextOf(subscription),
  ]
    .filter(({ until }) => daysBetween(first, until) >= 0)
    .toSorted((left, right) => daysBetween(right.from, left.from));
}

function ofInvoice(invoice: Invoice, today: Day): Piece[] {
  const { periodFrom, periodUntil, dueOn, dueToCollectOn, heldUntil, status, payments } = invoice;
  const tone = DEBT_TONES[status] ?? "over";
  const moment = (track: Track, meaning: Meaning, day: Day, own: Tone): Piece => ({
    track,
    meaning,
    from: day,
    until: day,
    tone: own,
    invoice,
  });
  return [
    ...(periodFrom === undefined || periodUntil === undefined
      ? []
      : [{ track: "periods", meaning: "period", from: periodFrom, until: periodUntil, tone, invoice } as const]),
    ...(dueOn === undefined ? [] : [moment("invoices", "due", dueOn, tone)]),
    ...payments.flatMap((payment): Piece[] =>
      payment.at === undefined
        ? []
        : [
            {
              ...moment(
                "tries",
                "try",
                dayAt(new Date(Number(payment.at.seconds) * 1000)),
                TRY_TONES[payment.status] ?? "busy",
              ),
              payment,
            },
          ],
    ),
    ...(dueToCollectOn === undefined ? [] : [moment("next", "collect", dueToCollectOn, "busy")]),
    ...(heldUntil === undefined
      ? []
      : [{ track: "next", meaning: "hold", from: today, until: heldUntil, tone: "over", invoice } as const]
    ).filter(({ from, until }) => daysBetween(from, until) >= 0),
  ];
}

/** The days on which it was suspended, by its statuses in the order of their days. */
export function suspensionsOf(standings: readonly Standing[], today: Day): Piece[] {
  const pieces: Piece[] = [];
  let from: Day | undefined;
  for (const standing of standings) {
    const isSuspended = standing.status === SubscriptionStatus.SUSPENDED;
    if (isSuspended) from ??= standing.from;
    else if (from !== undefined) {
      pieces.push(suspended(from, standing.from));
      from = undefined;
    }
  }
  if (from !== undefined) pieces.push(suspended(from, today));
  return pieces;
}

const suspended = (from: Day, until: Day): Piece => ({
  track: "suspended",
  meaning: "suspended",
  from,
  until,
  tone: "bad",
});

/** The days that come by themselves. */
function nextOf({ billsOn, dueToDunOn, dueToEndOn, change }: Subscription): Piece[] {
  const days: readonly (readonly [Meaning, Day | undefined, Tone])[] = [
    ["bill", billsOn, "good"],
    ["dun", dueToDunOn, "bad"],
    ["change", change?.effectiveOn, "warning"],
    ["end", dueToEndOn === "" ? undefined : dayOf(dueToEndOn), "over"],
  ];
  return days.flatMap(([meaning, day, tone]) =>
    day === undefined ? [] : [{ track: "next", meaning, from: day, until: day, tone } as const],
  );
}

/** The line's first and last day, and where a day lies between them, in percent. */
export interface Scale {
  readonly first: Day;
  readonly last: Day;
  readonly at: (day: Day) => number;
}

const later = (left: Day, right: Day): Day => (daysBetween(left, right) > 0 ? right : left);
const earlier = (left: Day, right: Day): Day => (daysBetween(left, right) > 0 ? left : right);

/** The scale that shows all pieces and today. */
export function scaleOf(pieces: readonly Piece[], today: Day): Scale {
  const earliest = addDays(today, -BACK);
  const first = later(
    earliest,
    pieces.reduce((day, { from }) => earlier(day, from), today),
  );
  const last = pieces.reduce((day, { until }) => later(day, until), addDays(today, 7));
  const all = daysBetween(first, last) + 1;
  return {
    first,
    last,
    at: (day) => Math.min(100, Math.max(0, (100 * daysBetween(first, day)) / all)),
  };
}
