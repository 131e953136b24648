/** Gives running subscriptions another price: the terms, what they would change, and the request for exactly these. */
import type { DescMessage } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { enumSpelling } from "@pavise/descform/words.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { addDays, today, type Day } from "@pavise/rpc/day.ts";
import { RepricingSkipReasonSchema } from "@pavise/schema/pavise/billing/v1/repricing_pb";
import { RepricingService, type RepricingPreview } from "@pavise/schema/pavise/billing/v1/repricing_service_pb";
import { OfferSchema } from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { ProductSchema } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { Currency, CurrencySchema, type Money } from "@pavise/schema/pavise/common/v1/money_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { DateField } from "@pavise/ui/DateField.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextArea, TextField } from "@pavise/ui/Field.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { MoneyField } from "@pavise/ui/NumberField.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { useOnline } from "@pavise/ui/Strip.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { dayText, Facts } from "@pavise/ui/Value.tsx";
import { useRef, useState } from "react";
import { findable, useConsole } from "../../console/console.ts";
import { Picker } from "../../console/Picker.tsx";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import { useAddress } from "../../frame/address.ts";
import { useLocalized } from "../catalog/prices.tsx";
import { Table, useAmount, useAnswer, useEntity, useSpelt } from "../parts.tsx";
import { NOTICE, noticeOf, sumsOf, termsOf, type Terms, type Typed } from "./repricing.ts";
import { Plans } from "./RepricingParts.tsx";
import page from "../../console/console.module.css";

const { method } = RepricingService;
const ANY = "any";
/** The most letters of a note. */
const NOTE = 500;

/** The button that opens the dialog, for those who may reprice. */
export function NewRepricing() {
  const { _ } = useLingui();
  const { may, operationOf } = useConsole();
  const [open, setOpen] = useState(false);
  if (!may(operationOf(method.createRepricing)) || !may(operationOf(method.previewRepricing))) return null;
  return (
    <>
      <Button kind="primary" onPress={() => setOpen(true)}>
        {_("New repricing…")}
      </Button>
      {open ? <Reprice onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The terms before anything is typed. */
function emptyTerms(): Typed {
  return {
    offerId: "",
    productId: "",
    tierId: "",
    currency: Currency.USD,
    oldAmount: null,
    amount: null,
    firstDay: addDays(today(), NOTICE),
  };
}

function Reprice({ onClose }: { onClose: () => void }) {
  const { _, i18n } = useLingui();
  const { ask } = useConsole();
  const { go } = useAddress();
  const online = useOnline();
  const reread = useReread();
  const { pending, error, run, forget } = useAttempt();
  const [typed, setTyped] = useState(emptyTerms);
  const [note, setNote] = useState("");
  const [shown, setShown] = useState<{ terms: Terms; preview: RepricingPreview }>();
  // One key for each preview: a second press makes one repricing.
  const key = useRef("");
  const terms = termsOf(typed);
  const change = (given: Partial<Typed>) => {
    forget();
    setTyped((before) => ({ ...before, ...given }));
  };
  const show = () =>
    run(async () => {
      if (terms === undefined) return;
      const preview = await ask(method.previewRepricing, terms);
      key.current = crypto.randomUUID();
      setShown({ terms, preview });
    });
  const make = () =>
    run(async () => {
      if (shown === undefined) return;
      const made = await ask(method.createRepricing, { ...shown.terms, note }, { key: key.current }).catch(
        (refused: unknown) => {
          // A refusal of a field is shown beside it.
          if (problemOf(refused).fields.length > 0) setShown(undefined);
          throw refused;
        },
      );
      await reread();
      toast({ title: _("The new price is requested") });
      onClose();
      go(`/desk/repricing/${encodeURIComponent(made.id)}`);
    });
  const matching = (shown?.preview.matching ?? 0).toLocaleString(i18n.locale);
  const reaches = shown !== undefined && (shown.preview.matching > 0 || shown.preview.isCapped);
  return (
    <Dialog
      open
      steps
      stays
      large
      danger={shown !== undefined}
      title={_("New price for running subscriptions")}
      onOpenChange={onClose}
      actions={(close) =>
        shown === undefined ? (
          <>
            <Button onPress={close}>{_("Cancel")}</Button>
            <Button
              kind="primary"
              isPending={pending}
              isDisabled={terms === undefined || !online}
              onPress={() => void show()}
            >
              {_("Show what it changes")}
            </Button>
          </>
        ) : (
          <>
            <Button
              onPress={() => {
                forget();
                setShown(undefined);
              }}
            >
              {_("Back")}
            </Button>
            <Button kind="danger" isPending={pending} isDisabled={!reaches || !online} onPress={() => void make()}>
              {shown.preview.isCapped
                ? _("Give the new price to {count} or more", { count: matching })
                : _("Give the new price to {count}", { count: matching })}
            </Button>
          </>
        )
      }
    >
      <div className={page.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        {shown === undefined ? (
          <FieldErrors error={error}>
            <TermFields typed={typed} onChange={change} />
            <TextArea label={_("Reason")} name="note" optional maxLength={NOTE} value={note} onChange={setNote} />
          </FieldErrors>
        ) : (
          <Preview {...shown} />
        )}
      </div>
    </Dialog>
  );
}

type TermFieldsProps = { typed: Typed; onChange: (given: Partial<Typed>) => void };

/** The fields of the terms: whose plans, both prices, and the first day. */
function TermFields({ typed, onChange }: TermFieldsProps) {
  const { _, i18n } = useLingui();
  const { offerId, productId, currency, oldAmount, amount, firstDay } = typed;
  const code = enumSpelling(CurrencySchema, currency);
  const days = firstDay === null ? undefined : noticeOf(firstDay, today());
  const inDays = new Intl.NumberFormat(i18n.locale, { style: "unit", unit: "day", unitDisplay: "long" });
  const same = amount !== null && amount === oldAmount ? _("This is the price until then.") : undefined;
  return (
    <>
      <p className={page.soft}>
        {_("Name an offer, a product, or both. Only plans with the price until then get the new one.")}
      </p>
      <RecordField desc={OfferSchema} label={_("Offer")} value={offerId} onChange={(id) => onChange({ offerId: id })} />
      <RecordField
        desc={ProductSchema}
        label={_("Product")}
        value={productId}
        onChange={(id) => onChange({ productId: id, tierId: "" })}
      />
      <TierField typed={typed} onChange={onChange} />
      <Select
        label={_("Currency")}
        value={String(currency)}
        onChange={(chosen) => onChange({ currency: Number(chosen) })}
        choices={CurrencySchema.values
          .filter(({ number }) => number !== Currency.UNSPECIFIED)
          .map(({ number }) => ({ id: String(number), label: enumSpelling(CurrencySchema, number) }))}
      />
      <MoneyField
        label={_("Price of a billing period until then")}
        name="old_price.amount"
        currency={code}
        value={oldAmount}
        onChange={(minor) => onChange({ oldAmount: minor })}
      />
      <MoneyField
        label={_("New price of a billing period")}
        name="price.amount"
        currency={code}
        value={amount}
        onChange={(minor) => onChange({ amount: minor })}
        error={same}
      />
      <DateField
        label={_("First day of the new price")}
        name="first_day"
        value={firstDay}
        onChange={(day: Day | null) => onChange({ firstDay: day })}
        help={
          days === undefined || days < 0
            ? undefined
            : _("Members hear of it {days} before.", { days: inDays.format(days) })
        }
      />
    </>
  );
}

/** The tier, of those that the chosen product has. */
function TierField({ typed: { productId, tierId }, onChange }: TermFieldsProps) {
  const { _ } = useLingui();
  const localized = useLocalized();
  const product = useAnswer(ProductService.method.getProduct, { productId }, { enabled: productId !== "" });
  const tiers = product.data?.tiers ?? [];
  if (productId === "" || tiers.length === 0) return null;
  return (
    <Select
      label={_("Tier")}
      value={tierId === "" ? ANY : tierId}
      onChange={(chosen) => onChange({ tierId: chosen === ANY ? "" : chosen })}
      choices={[
        { id: ANY, label: _("Each tier") },
        ...tiers.map(({ id, names, name }) => ({ id, label: localized(names) || name })),
      ]}
    />
  );
}

type RecordFieldProps = { desc: DescMessage; label: string; value: string; onChange: (id: string) => void };

/** A record by its name; by its id for those who may not look for it. */
function RecordField({ desc, label, value, onChange }: RecordFieldProps) {
  const known = useConsole();
  const entity = useEntity(desc);
  if (entity === undefined || !findable(known, entity))
    return <TextField optional mono label={label} value={value} onChange={onChange} autoComplete="off" />;
  return <Picker optional entity={entity} label={label} value={value} onChange={onChange} />;
}

/** The effect of the terms: how many plans they change, the sums of these, and the plans that keep their price. */
function Preview({ terms, preview }: { terms: Terms; preview: RepricingPreview }) {
  const { _, i18n } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  const { found, matching, skips, isCapped } = preview;
  const { oldPrice, price } = terms;
  const { before, after, more } = sumsOf(matching, oldPrice, price);
  const count = (value: number) => value.toLocaleString(i18n.locale);
  const times = (one: Money, sum: Money) => `${count(matching)} × ${amount(one)} = ${amount(sum)}`;
  const day = dayText(i18n.locale, terms.firstDay, true);
  return (
    <>
      {isCapped ? (
        <Note
          title={_("There are more: {count} were counted. The others are gone through, too.", { count: count(found) })}
        />
      ) : matching === 0 ? (
        <Note tone="warning" title={_("No running subscription would get the new price")}>
          {_("Most likely they have another price than the one that was named.")}
        </Note>
      ) : null}
      <Facts
        facts={[
          {
            name: _("Plans"),
            value: (
              <Plans offerId={terms.offerId ?? ""} productId={terms.productId ?? ""} tierId={terms.tierId ?? ""} />
            ),
          },
          { name: _("Running subscriptions"), value: count(found) },
          { name: _("Get the new price"), value: <strong>{count(matching)}</strong> },
          ...(matching === 0
            ? []
            : [
                { name: _("Together until then"), value: times(oldPrice, before) },
                { name: _("Together from then on"), value: times(price, after) },
                { name: _("Difference in a billing period"), value: <strong>{amount(more)}</strong> },
              ]),
        ]}
      />
      {skips.length === 0 ? null : (
        <Table
          label={_("Those that keep their price")}
          rows={skips}
          rowId={({ reason }) => String(reason)}
          columns={[
            {
              header: _("Those that keep their price"),
              cell: ({ reason }) => spelt(RepricingSkipReasonSchema, reason),
            },
            { header: _("How many"), end: true, cell: (skip) => count(skip.count) },
          ]}
        />
      )}
      <div>
        <p>{_("What follows:")}</p>
        <ul>
          <li>{_("Each member gets one letter about the new price.")}</li>
          <li>{_("Periods that begin before {day} keep the price until then.", { day })}</li>
          <li>{_("It can be withdrawn until the day before. Letters that were sent stay sent.")}</li>
        </ul>
      </div>
    </>
  );
}
