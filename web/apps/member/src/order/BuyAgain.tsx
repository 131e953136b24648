// Asks whether the member means to buy a plan a second time.
import { useLingui } from "@lingui/react";
import { Checkbox, CheckboxGroup } from "@pavise/ui/Choices.tsx";

export type BuyAgainProps = {
  /** The products that the member has already; empty when another pending order would give them. */
  plans: readonly string[];
  meant: boolean;
  onChange: (meant: boolean) => void;
  /** Whether a missing answer is shown as an error. */
  checked: boolean;
};

/** The question. */
export function BuyAgain({ plans, meant, onChange, checked }: BuyAgainProps) {
  const { _ } = useLingui();
  return (
    <CheckboxGroup
      label={plans.length > 0 ? _("payment.again", { plans: plans.join(", ") }) : _("payment.again.ordered")}
      help={_("payment.again.help")}
      error={checked && !meant ? _("payment.again.missing") : undefined}
      value={meant ? ["again"] : []}
      onChange={(ticked) => onChange(ticked.length > 0)}
    >
      <Checkbox value="again">{_("payment.again.yes")}</Checkbox>
    </CheckboxGroup>
  );
}
