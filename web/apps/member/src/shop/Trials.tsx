// The section of the plans on trial. Only members of their cohorts load it: others get no such plan.
import { useLingui } from "@lingui/react";
import { speakMore } from "@pavise/i18n/Language.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { loadRest } from "../messages/load.ts";
import type { Plan } from "./catalog.ts";
import { PlanPart } from "./Shop.tsx";
import { onTrial } from "./trials.ts";
import page from "@pavise/ui/Part.module.css";
import styles from "./Shop.module.css";

/** The section with its words. */
export async function loadTrials() {
  await speakMore(loadRest);
  return { default: Trials };
}

/** The section; empty if ordinary plans sell the same. */
function Trials({ plans }: { plans: readonly Plan[] }) {
  const { _ } = useLingui();
  const shown = onTrial(plans);
  if (shown.length === 0) return null;
  return (
    <Part id="trials" title={_("shop.trials")}>
      <p className={page.soft}>{_("shop.trials.lead")}</p>
      <div className={styles.plans}>
        {shown.map((plan) => (
          <PlanPart key={`${plan.offer.id} ${plan.product.id}`} plan={plan} />
        ))}
      </div>
    </Part>
  );
}
