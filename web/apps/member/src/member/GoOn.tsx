// Going on with a plan at one's own cost when the employer's group ends.
import { createConnectQueryKey, useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { PaymentMethodStatus } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import { SubscriptionService } from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import type { Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { dayText } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { priceText } from "../app/words.ts";
import { sum } from "../shop/Summary.tsx";
import { firstOwnDay } from "./ending.ts";
import { offered, useDeclined, useMemberId, usePaymentMethods } from "./holdings.ts";
import { MethodSelect } from "./MethodSelect.tsx";
import page from "@pavise/ui/Part.module.css";

/** The button, and the dialog behind it. */
export function GoOn({ subscription, plan }: { subscription: Subscription; plan: string }) {
  const { _ } = useLingui();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind="primary" onPress={() => setAsking(true)} aria-label={_("plans.goOn.label", { plan })}>
        {_("plans.goOn")}
      </Button>
      {asking ? <GoOnDialog subscription={subscription} plan={plan} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function GoOnDialog({
  subscription,
  plan,
  onClose,
}: {
  subscription: Subscription;
  plan: string;
  onClose: () => void;
}) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const client = useQueryClient();
  const methods = usePaymentMethods();
  const declined = useDeclined();
  // A method of the group pays for nothing outside of it.
  const own = methods.data?.paymentMethods.filter(
    ({ status, groupId }) => status === PaymentMethodStatus.ACTIVE && groupId === "",
  );
  const usable = offered(own ?? [], declined);
  const [chosen, setChosen] = useState<string>();
  const paymentMethodId = chosen ?? usable[0]?.id ?? "";
  const { continueSubscription, listSubscriptions } = SubscriptionService.method;
  const goOn = useMutation(continueSubscription, {
    onSuccess: () => {
      onClose();
      toast({ title: _("plans.goOn.done") });
      return client.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: listSubscriptions, cardinality: "finite" }),
      });
    },
  });
  const day = firstOwnDay(subscription);
  const price = priceText(sum(subscription.items.map((item) => item.price)), locale, subscription.billingPeriod);
  return (
    <Dialog
      title={_("plans.goOn.title")}
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("plans.goOn.no")}</Button>
          <Button
            kind="primary"
            isPending={goOn.isPending}
            isDisabled={paymentMethodId === ""}
            onPress={() => goOn.mutate({ identityId, subscriptionId: subscription.id, paymentMethodId })}
          >
            {_("plans.goOn")}
          </Button>
        </>
      )}
    >
      <p>{_("plans.goOn.detail", { plan, price, day: day === undefined ? "" : dayText(locale, day, true) })}</p>
      {usable.length > 0 ? (
        <MethodSelect methods={usable} declined={declined} value={paymentMethodId} onChange={setChosen} />
      ) : (
        <p className={page.small}>{_("plans.goOn.noCard")}</p>
      )}
      {goOn.error ? <Refused error={goOn.error} /> : null}
    </Dialog>
  );
}
