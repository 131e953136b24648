// The plans and people of an enrollment in the forms of the shop and the checkout, and back.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { emptyCart, type Cart } from "@pavise/rules/cart.ts";
import { BillingPeriod } from "@pavise/schema/pavise/common/v1/billing_period_pb";
import { RegionCode } from "@pavise/schema/pavise/common/v1/place_pb";
import {
  DependentType,
  type EnrollmentDependentSchema,
  type EnrollmentOfferSchema,
  type GroupEnrollment,
} from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import type { Person } from "../app/draft.tsx";
import type { Wanted } from "../order/details.ts";
import type { Choice, Plan } from "../shop/catalog.ts";

/** Plans that are paid by deductions or by the employer are billed each month, and here the others are, too. */
export const PERIOD = BillingPeriod.MONTHLY;

type Chosen = Pick<GroupEnrollment, "offers" | "address">;

/** The cart of an enrollment: its plans, and the region of its address. */
export function cartOf(enrollment: Chosen | undefined): Cart {
  const selections = enrollment?.offers.flatMap((offer) => offer.selections) ?? [];
  const supplemented = selections.filter(({ supplementIds }) => supplementIds.length > 0);
  return {
    ...emptyCart(),
    region: RegionCode[enrollment?.address?.locality || -1] ?? "",
    products: selections.map(({ productId }) => productId),
    tiers: Object.fromEntries(selections.map(({ productId, tierId }) => [productId, tierId])),
    supplements: Object.fromEntries(supplemented.map(({ productId, supplementIds }) => [productId, supplementIds])),
  };
}

/** The offers of an enrollment for chosen plans. */
export function offersOf(choices: readonly Choice[]): MessageInitShape<typeof EnrollmentOfferSchema>[] {
  return choices.map(({ offerId, selections }) => ({ offerId, selections, billingPeriod: PERIOD }));
}

/** The plans, each product once: from the first of the offers that sell it. Plans for businesses are not sold here. */
export function choosable(plans: readonly Plan[]): Plan[] {
  const first = (plan: Plan) => plans.find(({ product }) => product.id === plan.product.id);
  return plans.filter((plan) => !plan.product.business && first(plan) === plan);
}

const KINDS: Readonly<Record<string, DependentType>> = {
  SPOUSE: DependentType.SPOUSE,
  DEPENDENT: DependentType.DEPENDENT,
};

/** The people of an enrollment as the form has them. */
export function peopleOf({ dependents }: Pick<GroupEnrollment, "dependents">): Person[] {
  return dependents.map(({ id, type, firstName, lastName, birthDate }) => ({
    key: id,
    firstName,
    lastName,
    type: type === DependentType.SPOUSE ? "SPOUSE" : "DEPENDENT",
    birthDate: birthDate ? { year: birthDate.year, month: birthDate.month, day: birthDate.day } : null,
  }));
}

type Dependent = MessageInitShape<typeof EnrollmentDependentSchema>;

/** The people of the form as the enrollment has them. Those that were there keep their ids and e-mail addresses. */
export function dependentsOf(
  people: readonly Person[],
  { dependents }: Pick<GroupEnrollment, "dependents">,
): Dependent[] {
  return people.map(({ key, firstName, lastName, type, birthDate }) => {
    const before = dependents.find(({ id }) => id === key);
    return {
      id: before?.id ?? "",
      email: before?.email ?? "",
      type: KINDS[type] ?? DependentType.DEPENDENT,
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      birthDate: birthDate ?? undefined,
    };
  });
}

/** The people whom the plans can cover: as many as there are places, of the relations that the plans cover. */
export function coveredBy(
  people: readonly Person[],
  { seats, relations }: Pick<Wanted, "seats" | "relations">,
): readonly Person[] {
  return people.filter(({ type }) => relations?.has(type) ?? true).slice(0, seats);
}
