// Home: the plans, the people they cover, the amounts due, the next steps.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { SubscriptionStatus, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { Toasts } from "@pavise/ui/toasts.tsx";
import { DayText } from "@pavise/ui/Value.tsx";
import { Loaded } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { priceText } from "../app/words.ts";
import { sum } from "../shop/Summary.tsx";
import { isBilledAgain, lastDay } from "./ending.ts";
import { isDue, isUnderWay, useHoldings, useInvoices, useOrders, useSubscriptions, useUnbilled } from "./holdings.ts";
import { NoPlan } from "./NoPlan.tsx";
import { PlanStatus } from "./PlanPart.tsx";
import { Refusals } from "./Refusals.tsx";
import { Through } from "./Through.tsx";
import { WhyBilled } from "./Why.tsx";
import { Enrollments } from "../enroll/Enrollments.tsx";
import { usePeople } from "../family/people.ts";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";

/** The home page. */
export function Home() {
  const { _ } = useLingui();
  return (
    <>
      <div className={page.intro}>
        <PageTitle>{_("home.title")}</PageTitle>
      </div>
      <Refusals />
      <UnderWay />
      <Covered />
      <Enrollments />
      <Who />
      <Owed />
      <Next />
      <Toasts />
    </>
  );
}

/** Orders that are being set up, or are unpaid. */
function UnderWay() {
  const { _ } = useLingui();
  const orders = useOrders();
  const order = orders.data?.orders.find(({ status }) => isUnderWay(status));
  if (!order) return null;
  return (
    <Note title={_("home.underWay")} actions={<Link href={`/orders/${order.id}`}>{_("home.underWay.look")}</Link>} />
  );
}

/** The member's own plans, and the plans of others that cover them. */
function Covered() {
  const holdings = useHoldings();
  return (
    <Loaded query={holdings} lines={3}>
      {({ plans, coverages }) => {
        const held = plans.filter(({ status }) => status !== EntitlementStatus.CANCELLED);
        return (
          <>
            {held.length > 0 || coverages.length === 0 ? <Own plans={held} /> : null}
            <Through coverages={coverages} />
          </>
        );
      }}
    </Loaded>
  );
}

function Own({ plans }: { plans: readonly Entitlement[] }) {
  const { _ } = useLingui();
  const unbilled = useUnbilled();
  return (
    <Part id="covered" title={_("home.covered")} end={<Link href="/plans">{_("home.covered.all")}</Link>}>
      {plans.length === 0 ? (
        <NoPlan />
      ) : (
        <div className={page.rows}>
          {plans.map((plan) => (
            <div key={plan.id} className={page.line}>
              <span className={page.lineWords}>
                <span className={page.name}>{plan.name}</span>
                {plan.friendlyId ? (
                  <span className={page.small}>{_("home.number", { id: plan.friendlyId })}</span>
                ) : null}
              </span>
              <PlanStatus status={plan.status} unbilled={unbilled(plan.subscriptionId)} />
            </div>
          ))}
        </div>
      )}
    </Part>
  );
}

function Who() {
  const { _ } = useLingui();
  const people = usePeople();
  return (
    <Part id="who" title={_("home.who")} end={<Link href="/family">{_("home.who.all")}</Link>}>
      <Loaded query={people} lines={2}>
        {({ holder, covered }) => (
          <p>{[holder || _("family.you"), ...covered.map(({ name }) => name || _("family.unnamed"))].join(" · ")}</p>
        )}
      </Loaded>
    </Part>
  );
}

function Owed() {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const invoices = useInvoices();
  return (
    <Part id="owed" title={_("home.owed")} end={<Link href="/billing">{_("home.owed.all")}</Link>}>
      <Loaded query={invoices} lines={2}>
        {({ invoices: all }) => {
          const due = all.filter(isDue);
          return due.length === 0 ? (
            <p className={page.soft}>{_("home.owed.nothing")}</p>
          ) : (
            <div className={page.line}>
              <span className={frame.figure}>{priceText(sum(due.map(({ openAmount }) => openAmount)), locale)}</span>
              <Link kind="primary" href="/billing">
                {_("home.owed.pay")}
              </Link>
            </div>
          );
        }}
      </Loaded>
    </Part>
  );
}

function Next() {
  const { _ } = useLingui();
  const subscriptions = useSubscriptions();
  return (
    <Part id="next" title={_("home.next")}>
      <Loaded query={subscriptions} lines={2}>
        {({ subscriptions: all }) => {
          const open = all.filter(({ status }) => status !== SubscriptionStatus.CANCELLED);
          if (open.length === 0) return <p className={page.soft}>{_("home.next.nothing")}</p>;
          return (
            <div className={page.rows}>
              {open.map((subscription) => (
                <NextOf key={subscription.id} subscription={subscription} />
              ))}
            </div>
          );
        }}
      </Loaded>
    </Part>
  );
}

/** The next billing date, and the last day if the plan ends. */
function NextOf({ subscription }: { subscription: Subscription }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const ending = subscription.status === SubscriptionStatus.PENDING_CANCEL;
  const last = lastDay(subscription);
  const words = subscription.items.map(({ name }) => name).join(", ");
  return (
    <>
      {subscription.status === SubscriptionStatus.SUSPENDED ? (
        <div className={page.line}>
          <span className={page.lineWords}>
            <span className={page.name}>{words}</span>
            <WhyBilled subscription={subscription} />
          </span>
        </div>
      ) : null}
      {!ending && isBilledAgain(subscription) ? (
        <div className={page.line}>
          <span>
            {_("home.next.bill")} <DayText day={subscription.nextBillOn} long />
          </span>
          <span>{priceText(sum(subscription.items.map(({ price }) => price)), locale)}</span>
        </div>
      ) : null}
      {ending || last ? (
        <div className={page.line}>
          <span>
            {last ? (
              <>
                {_("home.next.ends")} <DayText day={last} long />
              </>
            ) : (
              _("plans.ends.open")
            )}
          </span>
        </div>
      ) : null}
    </>
  );
}
