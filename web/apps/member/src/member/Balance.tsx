// The sums that a member owes and is charged next, and the papers of their account.
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { Balance as Sums } from "@pavise/schema/pavise/billing/v1/statement_pb";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { today } from "@pavise/rpc/day.ts";
import { addressOf, saveFile, takeFile } from "@pavise/rpc/files.ts";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { DateField, type Day } from "@pavise/ui/DateField.tsx";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { dayText } from "@pavise/ui/Value.tsx";
import { useState } from "react";
import { priceText } from "../app/words.ts";
import { useMemberId } from "./holdings.ts";
import page from "@pavise/ui/Part.module.css";

/** The forms of a statement's file. */
const STATEMENT_FILES = [
  { format: "PDF", id: "billing.statement.pdf" },
  { format: "CSV", id: "billing.statement.csv" },
] as const;

/** The part of the page with the sums in each currency. */
export function Balance() {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const balance = useQuery(InvoiceService.method.getBalance, { identityId }, { enabled: identityId !== "" });
  return (
    <Part id="balance" title={_("billing.balance")}>
      <Loaded query={balance} lines={2}>
        {({ balances }) =>
          balances.length === 0 ? (
            <p className={page.soft}>{_("billing.balance.nothing")}</p>
          ) : (
            balances.map((sums) => <SumLines key={sums.currency} sums={sums} />)
          )
        }
      </Loaded>
    </Part>
  );
}

function SumLines({ sums: { owed, overdue, credit, nextCharge, nextChargeOn } }: { sums: Sums }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const lines = [
    { id: "owed", said: _("billing.balance.owed"), money: owed, shown: true },
    { id: "overdue", said: _("billing.balance.overdue"), money: overdue, shown: (overdue?.amount ?? 0n) > 0n },
    { id: "credit", said: _("billing.balance.credit"), money: credit, shown: (credit?.amount ?? 0n) > 0n },
    {
      id: "next",
      said: nextChargeOn ? _("billing.balance.next", { day: dayText(locale, nextChargeOn) }) : "",
      money: nextCharge,
      shown: nextChargeOn !== undefined,
    },
  ];
  return (
    <div className={page.rows}>
      {lines
        .filter(({ shown }) => shown)
        .map(({ id, said, money }) => (
          <div key={id} className={page.line}>
            <span className={page.lineWords}>{said}</span>
            <span className={page.end}>{priceText(money, locale)}</span>
          </div>
        ))}
    </div>
  );
}

/** Takes a paper when it is pressed, and hands it to the browser. */
export function PaperButton({ address, label, said }: { address: string; label: string; said: string }) {
  const { remedies } = useKeeper();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();

  async function take() {
    setPending(true);
    setError(undefined);
    try {
      saveFile(await takeFile(address, remedies));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  }

  return (
    <>
      <Button kind="quiet" aria-label={label} isPending={pending} onPress={() => void take()}>
        {said}
      </Button>
      {error === undefined ? null : <Refused error={error} />}
    </>
  );
}

/** The address of an invoice's PDF in the language of the page. */
export function invoicePaper(identityId: string, invoiceId: string, locale: string): string {
  const path = "/v1/identities/{identity_id}/invoices/{invoice_id}/pdf";
  return addressOf(path, { identityId, invoiceId, locale });
}

/** The address of the statement's file. */
function statementPaper(identityId: string, from: Day, to: Day, format: string, locale: string): string {
  const path = "/v1/identities/{identity_id}/statement/file";
  return addressOf(path, { identityId, from: isoDay(from), to: isoDay(to), format, locale });
}

/** Saves the statement of a range of days; first that of the present year. */
export function StatementPart() {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const now = today();
  const [from, setFrom] = useState<Day | null>({ year: now.year, month: 1, day: 1 });
  const [to, setTo] = useState<Day | null>(now);
  return (
    <Part id="statement" title={_("billing.statement")}>
      <div className={page.form}>
        <DateField label={_("billing.statement.from")} value={from} onChange={setFrom} />
        <DateField label={_("billing.statement.to")} value={to} onChange={setTo} />
      </div>
      {from && to ? (
        <div className={page.actions}>
          {STATEMENT_FILES.map(({ format, id }) => (
            <PaperButton
              key={format}
              address={statementPaper(identityId, from, to, format, locale)}
              label={_(id)}
              said={_(id)}
            />
          ))}
        </div>
      ) : null}
    </Part>
  );
}

/** A day as REST has it: `2026-01-31`. */
function isoDay({ year, month, day }: Day): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
