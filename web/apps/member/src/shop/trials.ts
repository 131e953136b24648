// The plans that only members of a cohort can buy.
import { isTrial, type Plan } from "./catalog.ts";

/** The plans on trial, with the tiers that no ordinary plan of the product sells. */
export function onTrial(plans: readonly Plan[]): Plan[] {
  const ordinary = plans.filter((plan) => !isTrial(plan));
  const sold = (productId: string, tierId: string) =>
    ordinary.some(({ product, tiers }) => product.id === productId && tiers.some(({ id }) => id === tierId));
  const left = (plan: Plan): Plan => {
    const tiers = plan.tiers.filter(({ id }) => !sold(plan.product.id, id));
    return { ...plan, tiers };
  };
  return plans
    .filter(isTrial)
    .map(left)
    .filter(({ tiers }) => tiers.length > 0);
}
