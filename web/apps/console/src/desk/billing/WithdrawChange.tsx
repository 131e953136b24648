/** Withdraws a change of a subscription that waits for its day. */
import { useLingui } from "@lingui/react";
import type { Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { SubscriptionService } from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DayText, Facts } from "@pavise/ui/Value.tsx";
import { useRef } from "react";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import { useAmount } from "../parts.tsx";
import page from "../../console/console.module.css";

/** The question before a waiting change is withdrawn. */
export function WithdrawChange({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { _ } = useLingui();
  const { ask } = useConsole();
  const reread = useReread();
  const amount = useAmount();
  const { pending, error, run } = useAttempt();
  const key = useRef(crypto.randomUUID());
  const { change, ownerId, id, version } = subscription;
  const withdraw = () =>
    run(async () => {
      await ask(
        SubscriptionService.method.withdrawSubscriptionChange,
        { identityId: ownerId, subscriptionId: id },
        { version, key: key.current },
      );
      await reread();
      toast({ title: _("The change is withdrawn") });
    }, onClose);
  return (
    <Dialog
      open
      title={_("Withdraw the change of this plan?")}
      onOpenChange={onClose}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("Cancel")}</Button>
          <Button kind="primary" isPending={pending} onPress={() => void withdraw()}>
            {_("Withdraw the change")}
          </Button>
        </>
      )}
    >
      <div className={page.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        <p>{_("The plan stays as it is. Nothing of the change is charged.")}</p>
        <Facts
          facts={[
            { name: _("It would begin on"), value: <DayText day={change?.effectiveOn} /> },
            ...(change?.items ?? []).map(({ name, price }) => ({ name, value: amount(price) })),
          ]}
        />
      </div>
    </Dialog>
  );
}
