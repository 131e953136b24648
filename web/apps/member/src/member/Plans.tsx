// My plans: the benefits of each, its billing, its ending, taking the end back, and cancelling its order.
import { useLingui } from "@lingui/react";
import { Link } from "@pavise/ui/Link.tsx";
import { Toasts } from "@pavise/ui/toasts.tsx";
import { DayText } from "@pavise/ui/Value.tsx";
import { Loaded } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { CancellableOrders } from "./CancelOrder.tsx";
import { useHoldings, useUnbilled } from "./holdings.ts";
import { NoPlan } from "./NoPlan.tsx";
import { PlanPart } from "./PlanPart.tsx";
import { Subscriptions } from "./Subscriptions.tsx";
import { Through } from "./Through.tsx";
import page from "@pavise/ui/Part.module.css";

/** The plans page. */
export function Plans() {
  const { _ } = useLingui();
  const holdings = useHoldings();
  const unbilled = useUnbilled();
  return (
    <>
      <div className={page.intro}>
        <PageTitle>{_("plans.title")}</PageTitle>
      </div>
      <Loaded query={holdings} lines={6}>
        {({ plans, coverages }) =>
          plans.length === 0 && coverages.length === 0 ? (
            <NoPlan />
          ) : (
            <>
              {plans.map((plan) => (
                <PlanPart
                  key={plan.id}
                  id={plan.id}
                  plan={plan}
                  unbilled={unbilled(plan.subscriptionId)}
                  last={[
                    { name: _("plans.since"), value: <DayText day={plan.effectiveOn} long /> },
                    ...(plan.endsOn ? [{ name: _("plans.until"), value: <DayText day={plan.endsOn} long /> }] : []),
                  ]}
                />
              ))}
              <Through coverages={coverages} />
            </>
          )
        }
      </Loaded>
      <Subscriptions />
      <CancellableOrders />
      <div className={page.actions}>
        <Link kind="secondary" href="/">
          {_("plans.add")}
        </Link>
      </div>
      <Toasts />
    </>
  );
}
