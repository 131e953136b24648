/** A subscription on one line of time, and the same days as text. */
import { useLingui } from "@lingui/react";
import { addDays, daysBetween, today } from "@pavise/rpc/day.ts";
import { isoDay } from "@pavise/rpc/today.ts";
import { InvoiceStatusSchema } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { DeclineReasonSchema, TransactionStatusSchema } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { dayText } from "@pavise/ui/Value.tsx";
import { Fragment, type ReactNode } from "react";
import { Table, useAmount, useSpelt } from "../parts.tsx";
import { scaleOf, TRACKS, type Meaning, type Piece, type Track } from "./time-line.ts";
import page from "../../console/console.module.css";
import styles from "../plot.module.css";

/** The line, and below it the days that come or were of interest. */
export function TimeLine({ pieces }: { pieces: readonly Piece[] }) {
  const { _, i18n } = useLingui();
  const says = useSays();
  const tracks: Readonly<Record<Track, string>> = {
    periods: _("Periods"),
    invoices: _("Due on"),
    tries: _("Tries"),
    suspended: _("Suspended"),
    next: _("What comes next"),
  };
  const now = today();
  const { first, last, at } = scaleOf(pieces, now);
  const width = (piece: Piece) => at(addDays(piece.until, 1)) - at(piece.from);
  return (
    <div className={page.stack}>
      <div
        className={styles.line}
        role="img"
        aria-label={_("From {first} to {last}: the days are listed below", {
          first: dayText(i18n.locale, first),
          last: dayText(i18n.locale, last),
        })}
      >
        {TRACKS.filter((track) => pieces.some((piece) => piece.track === track)).map((track) => (
          <Fragment key={track}>
            <span>{tracks[track]}</span>
            <div className={styles.track}>
              {pieces
                .filter((piece) => piece.track === track)
                .map((piece) => (
                  <span
                    key={keyOf(piece)}
                    title={`${says.days(piece)}: ${says.what(piece)}`}
                    data-tone={piece.tone}
                    {...(isMoment(piece) ? { "data-mark": "" } : {})}
                    style={{
                      insetInlineStart: `${at(piece.from)}%`,
                      ...(isMoment(piece) ? {} : { width: `${width(piece)}%` }),
                    }}
                  />
                ))}
              <span data-today="" style={{ insetInlineStart: `${at(now)}%` }} />
            </div>
          </Fragment>
        ))}
        <span />
        <div className={styles.ends}>
          <span>{dayText(i18n.locale, first)}</span>
          <span>{dayText(i18n.locale, last)}</span>
        </div>
      </div>
      <Table
        label={_("Day by day")}
        none={_("Nothing happened yet.")}
        rows={pieces.toReversed()}
        rowId={keyOf}
        columns={[
          { header: _("Days"), cell: says.days },
          { header: _("What happens"), cell: says.what },
          { header: _("Invoice"), cell: ({ invoice }) => invoice?.number ?? "" },
          { header: _("Amount"), end: true, cell: says.amount },
        ]}
      />
    </div>
  );
}

/** Whether a piece is one day. */
const isMoment = ({ from, until }: Piece): boolean => daysBetween(from, until) === 0;

const keyOf = ({ meaning, from, until, invoice, payment }: Piece): string =>
  [meaning, isoDay(from), isoDay(until), invoice?.id, payment?.id].join(" ");

/** The pieces of a line in the reader's language. */
function useSays() {
  const { _, i18n } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  const named: Readonly<Record<Meaning, string>> = {
    period: _("Period"),
    due: _("Due"),
    try: _("Try"),
    suspended: _("Suspended"),
    bill: _("Next bill"),
    collect: _("Next try"),
    hold: _("Held until a promised day"),
    dun: _("Next step because it is not paid"),
    change: _("The change of the plan begins"),
    end: _("It ends"),
  };
  return {
    days: (piece: Piece): string =>
      isMoment(piece)
        ? dayText(i18n.locale, piece.from)
        : `${dayText(i18n.locale, piece.from)} – ${dayText(i18n.locale, piece.until)}`,
    what({ meaning, invoice, payment }: Piece): string {
      const more =
        payment === undefined
          ? meaning === "period" || meaning === "due"
            ? [spelt(InvoiceStatusSchema, invoice?.status ?? 0)]
            : []
          : [spelt(TransactionStatusSchema, payment.status), spelt(DeclineReasonSchema, payment.declineReason)];
      return [named[meaning], ...more].filter((text) => text !== "").join(" · ");
    },
    amount: ({ invoice, payment, meaning }: Piece): ReactNode =>
      amount(payment?.amount ?? (meaning === "collect" || meaning === "hold" ? invoice?.openAmount : invoice?.total)),
  };
}
