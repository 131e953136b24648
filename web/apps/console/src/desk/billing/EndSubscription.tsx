/** Ends a subscription today. The amount that unused days would give is shown before. */
import { useLingui } from "@lingui/react";
import {
  CancelReason,
  CancelReasonSchema,
  UnusedDays,
  type Subscription,
} from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { SubscriptionService } from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Checkbox, Radio, RadioGroup } from "@pavise/ui/Choices.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { useRef, useState } from "react";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import { useAmount, useAnswer, useSpelt } from "../parts.tsx";
import page from "../../console/console.module.css";

const { method } = SubscriptionService;
/** The reasons that staff give. The platform itself gives the others. */
const REASONS = [
  CancelReason.MEMBER_REQUESTED_CANCEL,
  CancelReason.DECEASED,
  CancelReason.NO_LONGER_EMPLOYED,
  CancelReason.LEAVE_OF_ABSENCE,
  CancelReason.REINSTATE,
  CancelReason.UNPROCESSED,
];

/** The uses of paid days that are left. Another one than the platform's own takes a permission. */
const USES = {
  set: UnusedDays.UNSPECIFIED,
  nothing: UnusedDays.NOTHING,
  credit: UnusedDays.CREDIT,
  refund: UnusedDays.REFUND,
};

/** The question before an end, with what is given back. */
export function EndSubscription({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { _ } = useLingui();
  const { ask } = useConsole();
  const reread = useReread();
  const amount = useAmount();
  const spelt = useSpelt();
  const { pending, error, run } = useAttempt();
  const [reason, setReason] = useState(String(CancelReason.MEMBER_REQUESTED_CANCEL));
  const [endPlans, setEndPlans] = useState(true);
  const [unused, setUnused] = useState<keyof typeof USES>("set");
  const key = useRef(crypto.randomUUID());
  const { ownerId, id, version } = subscription;
  // The worth of the days as a credit, whatever the platform's setting gives.
  const preview = useAnswer(method.previewSubscription, {
    identityId: ownerId,
    subscriptionId: id,
    end: true,
    unusedDays: UnusedDays.CREDIT,
  });
  const credit = preview.data?.credit;
  const isWorthNothing = credit === undefined || credit.amount <= 0n;
  const end = () =>
    run(async () => {
      await ask(
        method.cancelSubscription,
        {
          identityId: ownerId,
          subscriptionId: id,
          reason: Number(reason),
          endPlans,
          unusedDays: USES[unused],
        },
        { version, key: key.current },
      );
      await reread();
      toast({ title: _("The subscription is ended") });
    }, onClose);
  return (
    <Dialog
      open
      danger
      title={_("End this subscription today?")}
      onOpenChange={onClose}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("Cancel")}</Button>
          <Button kind="danger" isPending={pending} onPress={() => void end()}>
            {_("End it today")}
          </Button>
        </>
      )}
    >
      <div className={page.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        <Select
          label={_("Reason")}
          value={reason}
          onChange={setReason}
          choices={REASONS.map((one) => ({ id: String(one), label: spelt(CancelReasonSchema, one) }))}
        />
        <Checkbox isSelected={endPlans} onChange={setEndPlans}>
          {_("End the plans that it pays for, too")}
        </Checkbox>
        <RadioGroup label={_("The days that are paid for and unused")} value={unused} onChange={setUnused}>
          <Radio value="set">{_("give what the platform's setting says")}</Radio>
          <Radio value="nothing">{_("give nothing")}</Radio>
          <Radio value="credit" isDisabled={isWorthNothing}>
            {_("give a credit")}
          </Radio>
          <Radio value="refund" isDisabled={isWorthNothing}>
            {_("give the money back")}
          </Radio>
        </RadioGroup>
        <p className={page.soft} aria-live="polite">
          {preview.data === undefined
            ? preview.isLoading
              ? ""
              : _("What they would give is not known.")
            : credit === undefined
              ? _("No paid day is left.")
              : _("They would give {amount}, with taxes.", { amount: amount(credit) })}
        </p>
      </div>
    </Dialog>
  );
}
