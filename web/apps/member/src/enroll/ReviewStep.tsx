// The last step: the plans with their prices for a month, the people, the first day; and the submission.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { RegionCode } from "@pavise/schema/pavise/common/v1/place_pb";
import { JobTitle, type GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import {
  GroupEnrollmentService,
  type EnrollmentOptions,
} from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { DayText, Facts } from "@pavise/ui/Value.tsx";
import { regionName } from "../app/regions.ts";
import { priceText } from "../app/words.ts";
import { usePaymentMethods } from "../member/holdings.ts";
import { brandName } from "../order/CardForm.tsx";
import { wantedBy } from "../order/details.ts";
import { addressText } from "../profile/address.ts";
import { choices, notSoldThere, type Plan } from "../shop/catalog.ts";
import { sum } from "../shop/Summary.tsx";
import { cartOf, PERIOD } from "./chosen.ts";
import { RefusedEnrollment } from "./Closed.tsx";
import { payPeriodsOf } from "./employee.ts";
import { useSaveEnrollment } from "./enrolling.ts";
import { useGroupPrices } from "./offers.ts";
import { isDeducted, isPaidByEmployee, whoPays } from "./terms.ts";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";

type ReviewStepProps = { options: EnrollmentOptions; enrollment: GroupEnrollment; plans: readonly Plan[] };

/** The parts that are submitted. */
export function ReviewStep({ options, enrollment, plans }: ReviewStepProps) {
  const { _ } = useLingui();
  const cart = cartOf(enrollment);
  const { seats } = wantedBy(cart, plans);
  const wanted = choices(cart, plans);
  const prices = useGroupPrices(wanted, options, cart.region);
  const kinds = prices.flatMap((price) => price.data?.problems.map(({ kind }) => kind) ?? []);
  const isPriced = wanted.length > 0 && prices.every((price) => price.data !== undefined);
  const save = useSaveEnrollment();
  const { pending, error, run } = useAttempt();
  const at = { identityId: enrollment.ownerId, enrollmentId: enrollment.id };
  const submit = () => void run(() => save(GroupEnrollmentService.method.submitGroupEnrollment, at));
  return (
    <section className={frame.parts}>
      <div className={page.intro}>
        <PageTitle>{_("enroll.review.title")}</PageTitle>
        <p className={page.soft}>{_("enroll.review.lead")}</p>
      </div>
      {error === undefined ? null : <RefusedEnrollment error={error} />}
      <Unsold kinds={kinds} isGone={wanted.length === 0} region={cart.region} />
      <Price options={options} prices={prices} />
      {seats > 0 ? <Family enrollment={enrollment} /> : null}
      <Employee options={options} enrollment={enrollment} />
      <div className={page.actions}>
        <Button kind="primary" onPress={submit} isPending={pending} isDisabled={!isPriced || kinds.length > 0}>
          {_("enroll.submit")}
        </Button>
      </div>
    </section>
  );
}

type UnsoldProps = { kinds: Parameters<typeof notSoldThere>[0]; isGone: boolean; region: string };

/** Says that a chosen plan is not sold any more, or not where the employee lives. */
function Unsold({ kinds, isGone, region }: UnsoldProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  if (notSoldThere(kinds))
    return (
      <Note tone="warning" spoken title={_("cart.notThere.title", { region: regionName(region, locale) })}>
        {_("cart.notThere.detail")}
      </Note>
    );
  if (kinds.length === 0 && !isGone) return null;
  return (
    <Note tone="warning" spoken title={_("cart.changed.title")}>
      {_("cart.changed.detail")}
    </Note>
  );
}

type PriceProps = { options: EnrollmentOptions; prices: ReturnType<typeof useGroupPrices> };

/** The lines of the plans, and their price for a month. */
function Price({ options, prices }: PriceProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const failed = prices.find((price) => price.error !== null && price.data === undefined);
  const priced = prices.flatMap((price) => price.data ?? []);
  const change = <Link href={`/enroll/${options.groupId}?step=plans`}>{_("enroll.change.plans")}</Link>;
  return (
    <Part id="enroll-plans" title={_("enroll.step.plans")} end={change}>
      {failed ? (
        <Refused error={failed.error} onRetry={() => prices.forEach((price) => void price.refetch())} />
      ) : priced.length < prices.length ? (
        <SkeletonText lines={3} />
      ) : (
        <div>
          <div className={page.rows}>
            {priced
              .flatMap(({ lines }) => lines)
              .map((line) => (
                <div key={`${line.productId} ${line.supplementId}`} className={page.line}>
                  <span>{line.name}</span>
                  <span>{priceText(line.renewalPrice, locale)}</span>
                </div>
              ))}
          </div>
          <div className={`${frame.sum} ${frame.total}`}>
            <span>{_("enroll.review.price")}</span>
            <span>{priceText(sum(priced.map(({ renewalTotal }) => renewalTotal)), locale, PERIOD)}</span>
          </div>
          <p className={page.small}>
            {_(isDeducted(options.payType) ? "enroll.review.deducted" : whoPays(options.payType))}
          </p>
        </div>
      )}
    </Part>
  );
}

/** The people whom the plans cover, besides the employee. */
function Family({ enrollment: { groupId, dependents } }: Pick<ReviewStepProps, "enrollment">) {
  const { _ } = useLingui();
  const change = <Link href={`/enroll/${groupId}?step=people`}>{_("enroll.change.people")}</Link>;
  const people = dependents.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  return (
    <Part id="enroll-people" title={_("enroll.review.people")} end={change}>
      <p>{people.length === 0 ? _("enroll.review.nobody") : people.join(", ")}</p>
    </Part>
  );
}

/** The employee, and how the plans are paid for. */
function Employee({ options, enrollment }: Omit<ReviewStepProps, "plans">) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { personalInfo: person, address, jobTitle, payPeriodId, groupId } = enrollment;
  const period = payPeriodsOf(options).find(({ id }) => id === payPeriodId);
  const card = useCardName(enrollment.paymentMethodId);
  const change = <Link href={`/enroll/${groupId}?step=details`}>{_("enroll.change.details")}</Link>;
  return (
    <Part id="enroll-details" title={_("enroll.step.details")} end={change}>
      <Facts
        facts={[
          { name: _("enroll.firstDay"), value: <DayText day={options.effectiveOn} long /> },
          { name: _("enroll.review.you"), value: person ? `${person.firstName} ${person.lastName}` : "" },
          { name: _("account.email"), value: person?.email ?? "" },
          { name: _("enroll.review.address"), value: address ? postal(address, locale) : "" },
          ...(jobTitle === JobTitle.UNSPECIFIED
            ? []
            : [{ name: _("enroll.job"), value: _(`enroll.job.${JobTitle[jobTitle]}`) }]),
          ...(period ? [{ name: _("enroll.period"), value: period.name }] : []),
          ...(isPaidByEmployee(options.payType) && card ? [{ name: _("payment.method"), value: card }] : []),
        ]}
      />
    </Part>
  );
}

type Postal = NonNullable<GroupEnrollment["address"]>;

function postal(address: Postal, locale: Parameters<typeof addressText>[1]): string {
  const { address1, address2, locality } = address;
  const place = locality === RegionCode.UNSPECIFIED ? address.city : addressText(address, locale);
  return [address1, address2, place].filter(Boolean).join(", ");
}

/** The name of one of the member's cards. */
function useCardName(methodId: string): string | undefined {
  const { _ } = useLingui();
  const found = usePaymentMethods().data?.paymentMethods.find(({ id }) => id === methodId);
  return found && _("payment.card", { brand: brandName(found.card?.brand), last4: found.card?.last4 ?? "" });
}
