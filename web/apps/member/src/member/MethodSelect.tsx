// The choice of a stored payment method.
import { useLingui } from "@lingui/react";
import type { PaymentMethod } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import { Select } from "@pavise/ui/Select.tsx";
import { brandName } from "../order/CardForm.tsx";

interface Props {
  methods: readonly PaymentMethod[];
  /** The ids of those whose last payment was declined. */
  declined: { has(id: string): boolean };
  value: string;
  onChange: (id: string) => void;
}

/** The methods by brand and last digits. */
export function MethodSelect({ methods, declined, value, onChange }: Props) {
  const { _ } = useLingui();
  return (
    <Select
      label={_("payment.method")}
      choices={methods.map(({ id, card, bankAccount }) => ({
        id,
        label: _("payment.card", { brand: brandName(card?.brand), last4: card?.last4 ?? bankAccount?.last4 ?? "" }),
        detail: declined.has(id) ? _("cards.declined.last") : undefined,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
