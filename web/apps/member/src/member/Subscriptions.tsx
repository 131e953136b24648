// A member's subscriptions: the next billing date, ending one, and taking the end back.
import { createConnectQueryKey, useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { today } from "@pavise/rpc/day.ts";
import { SubscriptionService } from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import { SubscriptionStatus, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { dayText } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { priceText } from "../app/words.ts";
import { sum } from "../shop/Summary.tsx";
import { canBeEnded, canBeKept, isBilledAgain, lastDay, lastDayIfEnded, lastDayIfKept, whyNotKept } from "./ending.ts";
import { GoOn } from "./GoOn.tsx";
import { useMemberId, useSubscriptions } from "./holdings.ts";
import { WhyBilled } from "./Why.tsx";
import page from "@pavise/ui/Part.module.css";

// The catalog and the provisions are needed for changes only.
const PlanChanges = lazy(async () => ({ default: (await import("./PlanChanges.tsx")).PlanChanges }));

/** The page part, for a member with a subscription. */
export function Subscriptions() {
  const { _ } = useLingui();
  const subscriptions = useSubscriptions();
  if (subscriptions.data?.subscriptions.length === 0) return null;
  return (
    <Part id="billed" title={_("plans.billed")}>
      <Loaded query={subscriptions} lines={3}>
        {({ subscriptions: all }) => (
          <div className={page.rows}>
            {all.map((subscription) => (
              <SubscriptionLine key={subscription.id} subscription={subscription} />
            ))}
          </div>
        )}
      </Loaded>
    </Part>
  );
}

function SubscriptionLine({ subscription }: { subscription: Subscription }) {
  const { _ } = useLingui();
  const [asking, setAsking] = useState<"end" | "keep">();
  const name = subscription.items.map((item) => item.name).join(", ");
  const words = { plan: name };
  const kept = canBeKept(subscription, today());
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{name}</span>
        <Standing subscription={subscription} />
      </span>
      <span className={page.end}>
        {subscription.mayContinue ? <GoOn subscription={subscription} plan={name} /> : null}
        {canBeEnded(subscription) ? (
          <Button kind="quiet" onPress={() => setAsking("end")} aria-label={_("plans.end.label", words)}>
            {_("plans.end")}
          </Button>
        ) : null}
        {kept ? (
          <Button onPress={() => setAsking("keep")} aria-label={_("plans.keep.label", words)}>
            {_("plans.keep")}
          </Button>
        ) : null}
      </span>
      <Suspense>
        <PlanChanges subscription={subscription} />
      </Suspense>
      {asking ? (
        <Question asking={asking} subscription={subscription} words={words} onClose={() => setAsking(undefined)} />
      ) : null}
    </div>
  );
}

/** The state of a subscription, in a line or two. */
function Standing({ subscription }: { subscription: Subscription }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const reason = <WhyBilled subscription={subscription} />;
  if (subscription.status === SubscriptionStatus.CANCELLED) {
    return (
      <>
        <span className={page.small}>{_("plans.over")}</span>
        {reason}
      </>
    );
  }
  const last = lastDay(subscription);
  const ends = (
    <span className={page.small}>
      {last ? _("plans.ends", { day: dayText(locale, last, true) }) : _("plans.ends.open")}
    </span>
  );
  if (subscription.status === SubscriptionStatus.PENDING_CANCEL) {
    const why = whyNotKept(subscription, today());
    return (
      <>
        {ends}
        {why === "notYours" ? reason : null}
        {why === undefined ? null : <span className={page.small}>{_(`plans.ends.${why}`)}</span>}
      </>
    );
  }
  const price = priceText(sum(subscription.items.map((item) => item.price)), locale, subscription.billingPeriod);
  const next = subscription.nextBillOn ? dayText(locale, subscription.nextBillOn, true) : "";
  return (
    <>
      {reason}
      {isBilledAgain(subscription) ? <span className={page.small}>{_("plans.next", { price, day: next })}</span> : null}
      {last ? ends : null}
      {subscription.mayContinue ? <span className={page.small}>{_("plans.goOn.may")}</span> : null}
    </>
  );
}

/** Asks for confirmation, both for the end and for taking the end back. */
function Question({
  asking,
  subscription,
  words,
  onClose,
}: {
  asking: "end" | "keep";
  subscription: Subscription;
  words: { plan: string };
  onClose: () => void;
}) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const client = useQueryClient();
  const ends = asking === "end";
  const { pendingCancelSubscription, removePendingCancelSubscription, listSubscriptions } = SubscriptionService.method;
  const onSuccess = () => {
    onClose();
    toast({ title: _(ends ? "plans.ended" : "plans.kept") });
    return client.invalidateQueries({
      queryKey: createConnectQueryKey({ schema: listSubscriptions, cardinality: "finite" }),
    });
  };
  const end = useMutation(pendingCancelSubscription, { onSuccess });
  const keep = useMutation(removePendingCancelSubscription, { onSuccess });
  const { error, isPending, mutate } = ends ? end : keep;
  const { detail, last } = ends ? ifEnded(subscription) : ifKept(subscription);
  return (
    <Dialog
      title={_(ends ? "plans.end.title" : "plans.keep.title")}
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      danger={ends}
      actions={(close) => (
        <>
          <Button onPress={close}>{_(ends ? "plans.end.keep" : "plans.keep.no")}</Button>
          <Button
            kind={ends ? "danger" : "primary"}
            isPending={isPending}
            onPress={() => mutate({ identityId, subscriptionId: subscription.id })}
          >
            {_(ends ? "plans.end.yes" : "plans.keep")}
          </Button>
        </>
      )}
    >
      <p>{_(detail, { ...words, day: last === undefined ? "" : dayText(locale, last, true) })}</p>
      {ends ? <p>{_("plans.end.nothing")}</p> : null}
      {error ? <Refused error={error} /> : null}
    </Dialog>
  );
}

/** Consequences of the end, and the last day. */
function ifEnded(subscription: Subscription) {
  const last = lastDayIfEnded(subscription);
  return { last, detail: last === undefined ? "plans.end.open" : "plans.end.detail" };
}

/** Consequences of taking the end back: a separately set last day stays. */
function ifKept(subscription: Subscription) {
  const set = lastDayIfKept(subscription);
  if (set !== undefined) return { last: set, detail: "plans.keep.set" };
  const last = lastDay(subscription);
  return { last, detail: last === undefined ? "plans.keep.open" : "plans.keep.detail" };
}
