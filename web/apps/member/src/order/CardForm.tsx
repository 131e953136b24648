// The form for a card of the test vendor, like any card form.
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { today, type Day } from "@pavise/rpc/day.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import { CardType, Vendor } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import { useState } from "react";
import { wrongName } from "../app/names.ts";
import { expiryOf, grouped, groupedExpiry, TEST_CARDS, tokenOf } from "./card.ts";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";
import styles from "./Order.module.css";

/** The typed text of each field. */
export type CardDraft = { number: string; expiry: string; holder: string };

/** An empty form. */
export const NO_CARD: CardDraft = { number: "", expiry: "", holder: "" };

const BRANDS: Readonly<Partial<Record<CardType, string>>> = {
  [CardType.VISA]: "Visa",
  [CardType.MASTERCARD]: "Mastercard",
  [CardType.AMEX]: "American Express",
  [CardType.DISCOVER]: "Discover",
};

/** Nineteen digits in groups of four. */
const LONGEST_NUMBER = 23;

/** The name of a card's brand. */
export function brandName(brand: CardType | undefined): string {
  return (brand === undefined ? undefined : BRANDS[brand]) ?? "";
}

/** The card for the contract; undefined while a field is invalid. */
export function cardOf(draft: CardDraft, day: Day) {
  const known = tokenOf(draft.number);
  const expiry = expiryOf(draft.expiry, day);
  const holderName = draft.holder.trim();
  if (!known || !expiry || wrongName(holderName, LENGTHS["billing.v1.Card.holder_name"]) !== undefined)
    return undefined;
  const { token, brand, last4 } = known;
  return { vendorToken: token, card: { brand, last4, expiryMonth: expiry.month, expiryYear: expiry.year, holderName } };
}

export type CardFormProps = { card: CardDraft; onChange: (card: CardDraft) => void; checked: boolean };

/** The fields of a card. */
export function CardForm({ card, onChange, checked }: CardFormProps) {
  const { _ } = useLingui();
  const [day] = useState(today);
  const misnamed = checked ? wrongName(card.holder, LENGTHS["billing.v1.Card.holder_name"]) : undefined;
  const put = (part: Partial<CardDraft>) => onChange({ ...card, ...part });
  return (
    <div className={page.form}>
      <TextField
        label={_("card.number")}
        name="payment_method.vendor_token"
        maxLength={LONGEST_NUMBER}
        inputMode="numeric"
        autoComplete="off"
        value={card.number}
        onChange={(number) => put({ number: grouped(number) })}
        error={checked && !tokenOf(card.number) ? _("card.number.wrong") : undefined}
      />
      <div className={frame.pair}>
        <TextField
          label={_("card.expiry")}
          name="payment_method.card.expiry_month"
          inputMode="numeric"
          autoComplete="off"
          placeholder={_("card.expiry.form")}
          value={card.expiry}
          onChange={(expiry) => put({ expiry: groupedExpiry(expiry, card.expiry) })}
          error={checked && !expiryOf(card.expiry, day) ? _("card.expiry.wrong") : undefined}
        />
        <TextField
          label={_("card.holder")}
          name="payment_method.card.holder_name"
          maxLength={LENGTHS["billing.v1.Card.holder_name"]}
          autoComplete="off"
          value={card.holder}
          onChange={(holder) => put({ holder })}
          error={misnamed === undefined ? undefined : _(misnamed)}
        />
      </div>
    </div>
  );
}

/** The test vendor's cards, and the result of each; nothing where the server charges real cards. */
export function TestCards({ onUse }: { onUse: (card: Pick<CardDraft, "number" | "expiry">) => void }) {
  const { _ } = useLingui();
  const [day] = useState(today);
  const { data } = useQuery(PaymentMethodService.method.listPaymentVendors, {});
  if (data === undefined) return null;
  if (data.vendors.length === 0)
    return (
      <Note tone="danger" title={_("card.off.title")}>
        {_("card.off.detail")}
      </Note>
    );
  if (!data.vendors.includes(Vendor.TEST)) return null;
  return (
    <Note title={_("card.test.title")}>
      <p>{_("card.test.detail")}</p>
      <ul className={styles.cards}>
        {TEST_CARDS.map((one) => (
          <li key={one.number}>
            <span>
              <span className={styles.number}>{grouped(one.number)}</span>
              <span className={page.small}>{_(`card.does.${one.does}`)}</span>
            </span>
            <Button
              kind="quiet"
              aria-label={_("card.use.label", { number: grouped(one.number) })}
              onPress={() => onUse({ number: grouped(one.number), expiry: `12 / ${String(day.year + 3).slice(-2)}` })}
            >
              {_("card.use")}
            </Button>
          </li>
        ))}
      </ul>
    </Note>
  );
}
