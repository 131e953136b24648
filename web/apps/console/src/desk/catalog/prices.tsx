/** Prices of tiers and supplements: a row for each, a column for each billing period and currency. */
import { useLingui } from "@lingui/react";
import { BillingPeriodSchema } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import type { LocalizedText } from "@pavise/schema/pavise/common/v1/place_pb";
import type { Price } from "@pavise/schema/pavise/catalog/v1/price_pb";
import { DayText } from "@pavise/ui/Value.tsx";
import { currencyOf, Table, useAmount, useSpelt } from "../parts.tsx";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

/** A tier or supplement with its prices. */
export interface Priced {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly prices: readonly Price[];
}

const columnOf = ({ billingPeriod, initial }: Price) => `${billingPeriod} ${currencyOf(initial)}`;

/** The price list. */
export function PriceList({ label, of, none }: { label: string; of: readonly Priced[]; none?: string }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const columns = [...new Map(of.flatMap(({ prices }) => prices).map((price) => [columnOf(price), price])).entries()];
  return (
    <Table
      label={label}
      rows={of}
      rowId={({ id }) => id}
      {...(none === undefined ? {} : { none })}
      columns={[
        {
          header: label,
          cell: ({ name, detail }) => (
            <>
              {name}
              {detail === "" ? null : <div className={styles.why}>{detail}</div>}
            </>
          ),
        },
        ...columns.map(([id, price]) => ({
          header: `${spelt(BillingPeriodSchema, price.billingPeriod)} · ${currencyOf(price.initial)}`,
          end: true,
          cell: ({ prices }: Priced) =>
            prices.filter((one) => columnOf(one) === id).map((one, index) => <OnePrice key={index} price={one} />),
        })),
        ...(columns.length === 0
          ? [{ header: _("Prices"), cell: () => <span className={page.soft}>{_("None")}</span> }]
          : []),
      ]}
    />
  );
}

function OnePrice({ price: { initial, renewal, effectiveFrom, effectiveUntil } }: { price: Price }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const same = renewal !== undefined && initial?.amount === renewal.amount;
  return (
    <div>
      {amount(initial)}
      {renewal === undefined || same ? null : (
        <div className={styles.why}>{_("then {amount}", { amount: amount(renewal) })}</div>
      )}
      {effectiveFrom === undefined && effectiveUntil === undefined ? null : (
        <div className={styles.why}>
          {effectiveFrom === undefined ? "" : <DayText day={effectiveFrom} />} –{" "}
          {effectiveUntil === undefined ? "" : <DayText day={effectiveUntil} />}
        </div>
      )}
    </div>
  );
}

/** Of texts in several languages the reader's, else the first. */
export function useLocalized(): (texts: readonly Pick<LocalizedText, "locale" | "text">[]) => string {
  const { i18n } = useLingui();
  const spelling = i18n.locale.replace("-", "_");
  return (texts) => (texts.find(({ locale }) => LOCALES[spelling] === locale) ?? texts[0])?.text ?? "";
}

/** The contract's numbers of the locales. */
const LOCALES: Readonly<Record<string, number>> = { en_US: 1, es_US: 2, en_CA: 3, fr_CA: 4 };
