// Changes of the plans of a subscription: the button of each, what waits, what is being made, and what was refused.
import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import type { Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { SubscriptionService } from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import type { Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { EntitlementService } from "@pavise/schema/pavise/fulfillment/v1/entitlement_service_pb";
import { ProvisionService } from "@pavise/schema/pavise/fulfillment/v1/provision_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { dayText } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ChangeDialog } from "./ChangeDialog.tsx";
import { useEntitlements, useMemberId } from "./holdings.ts";
import { askedOf, changeablePlans, type Asked } from "./plan-change.ts";
import page from "@pavise/ui/Part.module.css";

/** How often a change that is being made is read again. */
const AGAIN = 2_000;

/** The newest provisions that are read: a change that is not over is among them. */
const NEWEST = 50;

/** The words for a change that was refused; others have words in common. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["PRICE_CHANGED", "change.refused.price"],
  ["PAYMENT_DECLINED", "change.refused.declined"],
]);

/** The changes of the plans that a subscription pays for. */
export function PlanChanges({ subscription }: { subscription: Subscription }) {
  const entitlements = useEntitlements();
  const plans = entitlements.data?.entitlements ?? [];
  const ofIt = plans.filter(({ subscriptionId }) => subscriptionId === subscription.id);
  const asked = useAsked(ofIt);
  const changeable = changeablePlans(subscription, ofIt);
  if (changeable.length === 0 && asked.size === 0 && subscription.change === undefined) return null;
  return (
    <div className={page.across}>
      <Waiting subscription={subscription} />
      {ofIt.map((plan) => {
        const change = asked.get(plan.id);
        const isFree = change === undefined || change.kind === "refused";
        return (
          <div key={plan.id}>
            {change ? <AskedChange asked={change} /> : null}
            {isFree && changeable.includes(plan) ? <ChangeButton subscription={subscription} plan={plan} /> : null}
          </div>
        );
      })}
    </div>
  );
}

function ChangeButton({ subscription, plan }: { subscription: Subscription; plan: Entitlement }) {
  const { _ } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" onPress={() => setOpen(true)} aria-label={_("change.plan.label", { plan: plan.name })}>
        {_("change.plan")}
      </Button>
      {open ? <ChangeDialog subscription={subscription} held={plan} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The changes that were asked for, by plan. They are read again while one is being made, and all else once it is. */
function useAsked(plans: readonly Entitlement[]): ReadonlyMap<string, Asked> {
  const identityId = useMemberId();
  const invalidate = useInvalidate();
  const { data } = useQuery(
    ProvisionService.method.listProvisions,
    { identityId, pageSize: NEWEST },
    {
      enabled: identityId !== "",
      refetchInterval: ({ state }) =>
        plans.some(({ id }) => askedOf(id, state.data?.provisions ?? [])?.kind === "underWay") ? AGAIN : false,
    },
  );
  const found = plans.flatMap(({ id }) => {
    const asked = askedOf(id, data?.provisions ?? []);
    return asked ? [[id, asked] as const] : [];
  });
  const underWay = found.filter(([, { kind }]) => kind === "underWay").length;
  const before = useRef(underWay);
  useEffect(() => {
    if (underWay < before.current) void invalidate();
    before.current = underWay;
  }, [underWay, invalidate, before]);
  return new Map(found);
}

/** Reads again what a change of plan changes. */
function useInvalidate(): () => Promise<unknown> {
  const client = useQueryClient();
  return useCallback(() => {
    const keys = [
      createConnectQueryKey({ schema: SubscriptionService.method.listSubscriptions, cardinality: "finite" }),
      createConnectQueryKey({ schema: EntitlementService.method.listEntitlements, cardinality: "finite" }),
      createConnectQueryKey({ schema: ProvisionService.method.listProvisions, cardinality: "finite" }),
      createConnectQueryKey({ schema: InvoiceService.method.listInvoices, cardinality: "finite" }),
      createConnectQueryKey({ schema: InvoiceService.method.getBalance, cardinality: "finite" }),
    ];
    return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  }, [client]);
}

/** A change that the member asked for. */
function AskedChange({ asked }: { asked: Asked }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const invalidate = useInvalidate();
  const withdraw = useMutation(ProvisionService.method.withdrawPlanChange, {
    onSuccess: () => {
      toast({ title: _("change.withdrawn") });
      return invalidate();
    },
  });
  const { provision } = asked;
  const plan = provision.lines.map(({ name }) => name).join(", ");
  if (asked.kind === "refused")
    return (
      <Note tone="danger" title={_("change.refused.title", { plan })}>
        <p>{_(REFUSALS.get(asked.reason) ?? "change.refused.other")}</p>
      </Note>
    );
  if (asked.kind === "underWay")
    return (
      <span role="status" className={page.small}>
        {_("change.underWay", { plan })}
      </span>
    );
  const on = provision.planChange?.effectiveOn;
  return (
    <WaitingChange
      plan={plan}
      day={on ? dayText(locale, on, true) : ""}
      isPending={withdraw.isPending}
      error={withdraw.error}
      onWithdraw={() => withdraw.mutate({ identityId, provisionId: provision.id })}
    />
  );
}

/** A change that waits on the subscription itself: staff asked for it. */
function Waiting({ subscription }: { subscription: Subscription }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const invalidate = useInvalidate();
  const withdraw = useMutation(SubscriptionService.method.withdrawSubscriptionChange, {
    onSuccess: () => {
      toast({ title: _("change.withdrawn") });
      return invalidate();
    },
  });
  const { change } = subscription;
  if (change === undefined) return null;
  const plan = change.items.map(({ name }) => name).join(", ");
  // One that is being paid cannot be withdrawn.
  if (change.invoiceId !== "") return <span className={page.small}>{_("change.underWay", { plan })}</span>;
  return (
    <WaitingChange
      plan={plan}
      day={change.effectiveOn ? dayText(locale, change.effectiveOn, true) : ""}
      isPending={withdraw.isPending}
      error={withdraw.error}
      onWithdraw={() => withdraw.mutate({ identityId, subscriptionId: subscription.id })}
    />
  );
}

type WaitingProps = { plan: string; day: string; isPending: boolean; error: unknown; onWithdraw: () => void };

function WaitingChange({ plan, day, isPending, error, onWithdraw }: WaitingProps) {
  const { _ } = useLingui();
  return (
    <>
      <span className={page.small}>{_("change.waits", { day, plan })}</span>
      <Button kind="quiet" isPending={isPending} onPress={onWithdraw} aria-label={_("change.withdraw.label", { plan })}>
        {_("change.withdraw")}
      </Button>
      {error ? <Refused error={error} /> : null}
    </>
  );
}
