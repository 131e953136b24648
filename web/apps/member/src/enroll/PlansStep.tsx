// The first step: the plans of the employer's offers, chosen as in the shop. Saving it begins the enrollment.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { Cart } from "@pavise/rules/cart.ts";
import type { ValidateSelectionsResponse } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import {
  GroupEnrollmentService,
  type EnrollmentOptions,
} from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useState } from "react";
import { currencyFor, localized } from "../app/words.ts";
import { wantedBy } from "../order/details.ts";
import { choices, toggled, withSupplement, type Plan } from "../shop/catalog.ts";
import { PlanWords, TierRow } from "../shop/Shop.tsx";
import { Supplements } from "../shop/Supplements.tsx";
import { cartOf, coveredBy, dependentsOf, offersOf, peopleOf, PERIOD } from "./chosen.ts";
import { RefusedEnrollment } from "./Closed.tsx";
import { useBegin, useSaveEnrollment } from "./enrolling.ts";
import { useGroupPrices } from "./offers.ts";
import { isUnderWay } from "./steps.ts";
import { isPaidByEmployee, localeIn } from "./terms.ts";
import page from "@pavise/ui/Part.module.css";
import shop from "../shop/Shop.module.css";

type PlansStepProps = {
  options: EnrollmentOptions;
  enrollment: GroupEnrollment | undefined;
  plans: readonly Plan[];
  /** The plans are saved; they cover so many people besides the employee. */
  onSaved: (seats: number) => void;
};

/** The choice. */
export function PlansStep(props: PlansStepProps) {
  const { _ } = useLingui();
  const { options, enrollment, plans } = props;
  const [cart, setCart] = useState(() => cartOf(enrollment));
  const { save, pending, error } = useSaving(props, cart);
  const isChosen = choices(cart, plans).length > 0;
  return (
    <Form right={isChosen} onSend={save} error={error}>
      {(checked) => (
        <>
          <div className={page.intro}>
            <PageTitle>{_("enroll.plans.title")}</PageTitle>
            <p className={page.soft}>{_("enroll.plans.lead", { employer: options.name })}</p>
          </div>
          {error === undefined ? null : <RefusedEnrollment error={error} />}
          <div className={shop.plans}>
            {plans.map((plan) => (
              <GroupPlan key={plan.product.id} plan={plan} options={options} cart={cart} onChange={setCart} />
            ))}
          </div>
          {checked && !isChosen ? <Note tone="danger" spoken title={_("enroll.plans.missing")} /> : null}
          <div className={page.actions}>
            <Button kind="primary" type="submit" isPending={pending}>
              {_("enroll.continue")}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}

/** Saves the plans. Who has no place in them any more is taken off. */
function useSaving({ options, enrollment, plans, onSaved }: PlansStepProps, cart: Cart) {
  const begin = useBegin(options);
  const save = useSaveEnrollment();
  const { pending, error, run } = useAttempt();
  const { changeEnrollmentOffers, changeEnrollmentDependents } = GroupEnrollmentService.method;
  async function saveAll(): Promise<number | undefined> {
    const begun = enrollment ?? (await begin());
    // It was submitted in another window.
    if (isUnderWay(begun)) return undefined;
    const at = { identityId: begun.ownerId, enrollmentId: begun.id };
    const saved = await save(changeEnrollmentOffers, { ...at, offers: offersOf(choices(cart, plans)) });
    const wanted = wantedBy(cart, plans);
    const covered = coveredBy(peopleOf(saved), wanted);
    if (covered.length < saved.dependents.length)
      await save(changeEnrollmentDependents, { ...at, dependents: dependentsOf(covered, saved) });
    return wanted.seats;
  }
  return {
    save: () => void run(saveAll, (seats) => (seats === undefined ? undefined : onSaved(seats))),
    pending,
    error,
  };
}

/** The price to show. A deduction has one amount, so a cheaper first month counts only for those who pay by themselves. */
function shownPrice(price: ValidateSelectionsResponse | undefined, { payType }: EnrollmentOptions) {
  if (price === undefined || isPaidByEmployee(payType)) return price;
  return { ...price, lines: price.lines.map(({ initialPrice: _first, ...line }) => line) };
}

type GroupPlanProps = { plan: Plan; options: EnrollmentOptions; cart: Cart; onChange: (cart: Cart) => void };

/** A plan: what it gives, its tiers with their prices, and the supplements of the chosen tier. */
function GroupPlan({ plan, options, cart, onChange }: GroupPlanProps) {
  const { locale } = useLanguage();
  const { product, offer, tiers } = plan;
  const prices = useGroupPrices(
    tiers.map(({ id }) => ({
      offerId: offer.id,
      selections: [{ productId: product.id, tierId: id, supplementIds: [] }],
    })),
    options,
    cart.region,
  );
  const failed = prices.find((price) => price.error !== null && price.data === undefined);
  const chosen = cart.products.includes(product.id) ? cart.tiers[product.id] : undefined;
  return (
    <section className={shop.plan} aria-labelledby={`plan-${product.id}`}>
      <PlanWords product={product} />
      <div className={page.part}>
        {failed ? (
          <Refused error={failed.error} onRetry={() => prices.forEach((price) => void price.refetch())} />
        ) : (
          <ul className={shop.tiers}>
            {tiers.map((tier, index) => (
              <TierRow
                key={tier.id}
                tier={tier}
                name={localized(product.friendlyNames, locale)}
                price={shownPrice(prices[index]?.data, options)}
                period={PERIOD}
                chosen={chosen === tier.id}
                onToggle={() => onChange(toggled(cart, product.id, tier.id))}
                region={cart.region}
              />
            ))}
          </ul>
        )}
        {chosen === undefined ? null : (
          <Supplements
            plan={plan}
            tierId={chosen}
            chosen={cart.supplements[product.id] ?? []}
            period={PERIOD}
            currency={currencyFor(localeIn(options.countryIdentifier, locale))}
            onChange={(id, on) => onChange(withSupplement(cart, product.id, id, on))}
          />
        )}
      </div>
    </section>
  );
}
