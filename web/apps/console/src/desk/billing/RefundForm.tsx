/** Refunds what was paid on an invoice: all of the rest, or a part; from one payment, or the newest first. */
import { useLingui } from "@lingui/react";
import type { Invoice } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import {
  DeclineReasonSchema,
  TransactionStatus,
  TransactionStatusSchema,
} from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { InvoiceStatusSchema } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { problemOf } from "@pavise/rpc/problem.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Radio, RadioGroup } from "@pavise/ui/Choices.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { MoneyField } from "@pavise/ui/NumberField.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { useOnline } from "@pavise/ui/Strip.tsx";
import { useTyped } from "@pavise/ui/typed.ts";
import { DateTime, dayText, Facts, Id } from "@pavise/ui/Value.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { useRef, useState } from "react";
import { Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import { moment, useAmount, useAnswer, useSpelt } from "../parts.tsx";
import { isApproved, leftOf, leftOfPayment } from "./refund.ts";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

const ANY = "any";

/** The form, the amount left after it, the confirmation, and the vendor's answer. */
export function RefundForm({ invoice, currency }: { invoice: Invoice; currency: string }) {
  const { _, i18n } = useLingui();
  const amount = useAmount();
  const online = useOnline();
  const [whole, setWhole] = useState(true);
  const [typed, setTyped] = useState<bigint | null>(null);
  const [paymentId, setPaymentId] = useState(ANY);
  const [asking, setAsking] = useState(false);
  const text = useTyped();
  const { refund, pending, error, made, forget } = useRefund(invoice, {
    onMade: () => {
      setTyped(null);
      setWhole(true);
      setPaymentId(ANY);
    },
    onEnd: () => setAsking(false),
  });
  const payments = invoice.payments.filter(
    (payment) => isApproved(payment) && leftOfPayment(invoice, payment).left > 0n,
  );
  const payment = payments.find(({ id }) => id === paymentId);
  const most = payment === undefined ? leftOf(invoice).left : leftOfPayment(invoice, payment).left;
  const wanted = whole ? most : (typed ?? 0n);
  const say = (minor: bigint) => (invoice.total === undefined ? "" : amount({ ...invoice.total, amount: minor }));
  const wrong =
    whole || typed === null
      ? undefined
      : typed > most
        ? _("At most {amount} is left.", { amount: say(most) })
        : typed <= 0n
          ? _("More than nothing.")
          : undefined;
  const ready = wanted > 0n && wanted <= most;

  function change(run: () => void) {
    forget();
    run();
  }
  return (
    <form
      className={styles.form}
      {...text.on}
      aria-label={_("Refund")}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && online) setAsking(true);
      }}
    >
      <h2>{_("Refund")}</h2>
      {made === undefined ? null : <Made {...made} />}
      {error === undefined ? null : (
        <ProblemPanel
          error={error}
          {...(["offline", "unavailable"].includes(problemOf(error).kind)
            ? { onRetry: () => void refund({ amount: wanted, paymentId: payment?.id ?? "" }), retrying: pending }
            : {})}
        />
      )}
      {payments.length > 1 ? (
        <Select
          label={_("Of which payment")}
          value={paymentId}
          onChange={(id) => change(() => setPaymentId(id))}
          choices={[
            { id: ANY, label: _("The newest first") },
            ...payments.map((one) => ({
              id: one.id,
              label: `${say(leftOfPayment(invoice, one).left)} · ${whenOf(i18n.locale, moment(one.at))}`,
            })),
          ]}
        />
      ) : null}
      <RadioGroup
        label={_("How much")}
        value={whole ? "whole" : "part"}
        onChange={(which) =>
          change(() => {
            setWhole(which === "whole");
            if (which === "whole") setTyped(null);
          })
        }
      >
        <Radio value="whole">{_("All that is left: {amount}", { amount: say(most) })}</Radio>
        <Radio value="part">{_("A part")}</Radio>
      </RadioGroup>
      <FieldErrors error={error}>
        <MoneyField
          label={_("Amount")}
          name="amount"
          currency={currency}
          value={typed}
          // A typed amount is a part of the invoice.
          onChange={(minor) =>
            change(() => {
              setTyped(minor);
              setWhole(false);
            })
          }
          error={wrong}
        />
      </FieldErrors>
      <p className={styles.rest} aria-live="polite">
        <span>{_("Left afterwards")}</span>
        <strong>{say(ready ? most - wanted : most)}</strong>
      </p>
      <div>
        <Button kind="danger" type="submit" isDisabled={!ready || !online}>
          {ready ? _("Refund {amount}…", { amount: say(wanted) }) : _("Refund…")}
        </Button>
      </div>
      <Question
        open={asking}
        onOpenChange={setAsking}
        wanted={say(wanted)}
        now={say(most)}
        afterwards={say(most - wanted)}
        pending={pending}
        onRefund={() => void refund({ amount: wanted, paymentId: payment?.id ?? "" })}
      />
    </form>
  );
}

/** Makes refunds of an invoice, each exactly once. */
function useRefund(invoice: Invoice, { onMade, onEnd }: { onMade: () => void; onEnd: () => void }) {
  const { ask } = useConsole();
  const reread = useReread();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const [made, setMade] = useState<{ invoice: Invoice; ids: readonly string[] }>();
  // One idempotency key per refund: a second press, or a retry after a lost answer, refunds once.
  const key = useRef(crypto.randomUUID());
  async function refund({ amount, paymentId }: { amount: bigint; paymentId: string }) {
    setPending(true);
    setError(undefined);
    const before = new Set(invoice.refunds.map(({ id }) => id));
    try {
      const money = invoice.total === undefined ? undefined : { currency: invoice.total.currency, amount };
      const after = await ask(
        InvoiceService.method.refundInvoice,
        {
          identityId: invoice.ownerId,
          invoiceId: invoice.id,
          ...(money === undefined ? {} : { amount: money }),
          paymentId,
        },
        { version: invoice.version, key: key.current },
      );
      setMade({ invoice: after, ids: after.refunds.map(({ id }) => id).filter((id) => !before.has(id)) });
      onMade();
      key.current = crypto.randomUUID();
    } catch (thrown) {
      setError(thrown);
    } finally {
      // After a lost answer the same key repeats the refund. After any other answer the next refund has a new key.
      setPending(false);
      onEnd();
    }
    await reread();
  }
  /** Begins another refund with a new key. */
  function forget() {
    key.current = crypto.randomUUID();
    setError(undefined);
  }
  return { refund, pending, error, made, forget };
}

type QuestionProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  wanted: string;
  now: string;
  afterwards: string;
  pending: boolean;
  onRefund: () => void;
};

/** Asks for confirmation. */
function Question({ open, onOpenChange, wanted, now, afterwards, pending, onRefund }: QuestionProps) {
  const { _ } = useLingui();
  const online = useOnline();
  return (
    <Dialog
      open={open}
      danger
      title={_("Refund {amount}?", { amount: wanted })}
      onOpenChange={onOpenChange}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("Cancel")}</Button>
          <Button kind="danger" isPending={pending} isDisabled={!online} onPress={onRefund}>
            {_("Refund {amount}", { amount: wanted })}
          </Button>
        </>
      )}
    >
      <div className={page.stack}>
        <p>{_("The vendor is asked to give it back to where it was paid from. This cannot be taken back.")}</p>
        <Facts
          facts={[
            { name: _("Left now"), value: now },
            { name: _("Left afterwards"), value: afterwards },
          ]}
        />
      </div>
    </Dialog>
  );
}

function whenOf(locale: string, at: Date | null): string {
  return at === null ? "" : dayText(locale, { year: at.getFullYear(), month: at.getMonth() + 1, day: at.getDate() });
}

/** The result: the invoice's status, and the vendor's answer to each transaction. */
function Made({ invoice, ids }: { invoice: Invoice; ids: readonly string[] }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const current = useAnswer(InvoiceService.method.getInvoice, { identityId: invoice.ownerId, invoiceId: invoice.id });
  const { refunds, status } = current.data ?? invoice;
  const mine = refunds.filter(({ id }) => ids.includes(id));
  const refused = mine.some(({ status: one }) =>
    [TransactionStatus.DECLINED, TransactionStatus.HARD_DECLINED].includes(one),
  );
  const decided = mine.length > 0 && mine.every(isApproved);
  return (
    <Note
      tone={refused ? "danger" : decided ? "good" : "info"}
      spoken
      title={
        refused ? _("The vendor refused it") : decided ? _("It is given back") : _("The vendor has not answered yet")
      }
    >
      <p>
        {_("The invoice is now:")} <Status desc={InvoiceStatusSchema} value={status} />
      </p>
      <ul className={styles.plain}>
        {mine.map((one) => (
          <li key={one.id}>
            {amount(one.amount)} · <Status desc={TransactionStatusSchema} value={one.status} />{" "}
            <Answered id={one.transactionId} owner={invoice.ownerId} />
          </li>
        ))}
      </ul>
    </Note>
  );
}

/** The vendor's answer to a transaction. */
function Answered({ id, owner }: { id: string; owner: string }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const query = useAnswer(
    PaymentMethodService.method.getTransaction,
    { transactionId: id, identityId: owner },
    { enabled: id !== "" },
  );
  if (query.data === undefined) return null;
  const { vendorReference, declineReason, settledAt } = query.data;
  return (
    <>
      {declineReason === 0 ? null : <span>{spelt(DeclineReasonSchema, declineReason)} · </span>}
      {vendorReference === "" ? null : (
        <>
          {_("Vendor’s reference")} <Id>{vendorReference}</Id> ·{" "}
        </>
      )}
      <DateTime at={moment(settledAt)} />
    </>
  );
}
