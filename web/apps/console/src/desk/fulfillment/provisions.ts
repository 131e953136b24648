// The cause that stops a provision, and the remedies.
import { key } from "@pavise/i18n/key.ts";
import {
  ProvisionStatus,
  ReinstatementStatus,
  type Provision,
} from "@pavise/schema/pavise/fulfillment/v1/provision_pb";

/** The kind of work that a provision needs from staff. */
export type Need =
  | "failed"
  | "suspended"
  | "decide"
  | "anew"
  | "check"
  | "review"
  | "planChange"
  | "waits"
  | "runs"
  | "over";

const NEEDS: Readonly<Partial<Record<ProvisionStatus, Need>>> = {
  [ProvisionStatus.FAILED]: "failed",
  [ProvisionStatus.REINSTATE_CHECKED]: "decide",
  [ProvisionStatus.POTENTIAL_REINSTATEMENT]: "check",
  [ProvisionStatus.PENDING_PROFILE_REVIEW]: "review",
  [ProvisionStatus.PENDING_PLAN_CHANGE]: "planChange",
  [ProvisionStatus.CREATED]: "waits",
  [ProvisionStatus.COMPLETED]: "over",
  [ProvisionStatus.DELETED]: "over",
};

/** The need of a provision. Suspended while reinstating is a failure; without a way back there is less to decide. */
export function needOf({
  status,
  reinstatement,
}: Pick<Provision, "status"> & Partial<Pick<Provision, "reinstatement">>): Need {
  const need = NEEDS[status] ?? "runs";
  if (need === "failed" && reinstatement?.status === ReinstatementStatus.SUSPENDED) return "suspended";
  return need === "decide" && reinstatement?.holds !== true ? "anew" : need;
}

/** The statuses that wait for staff, the most urgent first. */
export const BLOCKED: readonly ProvisionStatus[] = [
  ProvisionStatus.FAILED,
  ProvisionStatus.PENDING_PROFILE_REVIEW,
  ProvisionStatus.REINSTATE_CHECKED,
  ProvisionStatus.POTENTIAL_REINSTATEMENT,
  ProvisionStatus.PENDING_PLAN_CHANGE,
];

/** The obstacle in words; the values are translation keys. */
export const WHY: Readonly<Record<Need, string>> = {
  failed: key("A step failed. Set right what it says, then try again: it goes on with that step."),
  suspended: key(
    "It was suspended: neither the earlier membership nor a new one is set up, and it is not tried again.",
  ),
  decide: key("The buyer had a membership of the same family, which can come back. Decide whether it does."),
  anew: key("The buyer had a membership of the same family, which cannot come back. Decide whether a new one is made."),
  check: key("The buyer had a membership of the same family that was cancelled. Check whether it can come back."),
  review: key(
    "An authorized user has the address of another identity. Decide for each whether they are the same person.",
  ),
  planChange: key("A change of the plan waits for its day. It can be made now."),
  waits: key("It is set up when it is first used. It can be set up now."),
  runs: key("The platform is at work on it. This page follows it."),
  over: key("It is at its end; nothing is left to do."),
};

/** The usual statuses of a provision, in order. */
export const WAY: readonly ProvisionStatus[] = [
  ProvisionStatus.CREATED,
  ProvisionStatus.STARTED,
  ProvisionStatus.IN_PROGRESS,
  ProvisionStatus.IDENTITIES_ADDED,
  ProvisionStatus.CLASSIC_MAPS_ADDED,
  ProvisionStatus.SUBSCRIPTION_AND_ENTITLEMENT_ADDED,
  ProvisionStatus.BUSINESS_ADDED,
  ProvisionStatus.COMPLETED,
];

/** The progress of a provision: the index of its status, or of the status in which it failed; -1 for any other. */
export function placeOf({ status, failure }: Pick<Provision, "status" | "failure">): number {
  const reached =
    status === ProvisionStatus.FAILED || status === ProvisionStatus.PROCESS
      ? (failure?.status ?? ProvisionStatus.CREATED)
      : status;
  const blockedAt =
    BLOCKED.includes(reached) || reached === ProvisionStatus.PROCESS ? ProvisionStatus.STARTED : reached;
  return WAY.indexOf(blockedAt);
}
