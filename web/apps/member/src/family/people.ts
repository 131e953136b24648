// The people whom a plan covers besides the holder. A plan has their identities. Their names come from the order that the
// plan was made from, or from the invitation that they accepted.
import { createConnectQueryKey, useQuery } from "@connectrpc/connect-query";
import { RelationType, type CoveredRelation } from "@pavise/schema/pavise/common/v1/plan_pb";
import { EntitlementStatus, type Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { EntitlementService } from "@pavise/schema/pavise/fulfillment/v1/entitlement_service_pb";
import type { Provision } from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import { ProvisionService } from "@pavise/schema/pavise/fulfillment/v1/provision_service_pb";
import { ResourceType } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { InvitationStatus, type Invitation } from "@pavise/schema/pavise/identity/v1/invitation_pb";
import { InvitationService } from "@pavise/schema/pavise/identity/v1/invitation_service_pb";
import { useQueryClient } from "@tanstack/react-query";
import { useEntitlements, useMemberId, useOrders } from "../member/holdings.ts";

/** A person who may use a plan. */
export type Covered = { id: string; name: string; relation: RelationType };

/** A plan with its people and its invitations. */
export type Household = {
  plan: Entitlement;
  /** The relations that it covers, as it was bought; none means all. */
  covers: readonly CoveredRelation[];
  covered: readonly Covered[];
  /** Invitations that are not accepted yet. */
  invited: readonly Invitation[];
  /** Accepted invitations whose people are not in the plan yet. */
  waiting: readonly Invitation[];
};

const pageSize = 200;

/** The relations of which a plan has or awaits as many people as it covers. `besides` is an invitation. */
export function takenOf(
  { covers, covered, invited, waiting }: Pick<Household, "covers" | "covered" | "invited" | "waiting">,
  besides = "",
): ReadonlySet<RelationType> {
  const awaited = [...invited, ...waiting].filter(({ id }) => id !== besides);
  const relations = [
    ...covered.map(({ relation }) => relation),
    ...awaited.map(({ invitee }) => invitee?.relationType ?? RelationType.UNSPECIFIED),
  ];
  const countOf = (wanted: RelationType) => relations.filter((relation) => relation === wanted).length;
  return new Set(relations.filter((relation) => countOf(relation) >= mostOf(covers, relation)));
}

/** The most people of a relation. Nobody has two spouses. */
function mostOf(covers: readonly CoveredRelation[], relation: RelationType): number {
  const most = covers.find(({ type }) => type === relation)?.most ?? 0;
  if (most > 0) return most;
  return relation === RelationType.SPOUSE ? 1 : Number.POSITIVE_INFINITY;
}

/** The member's active plans with their people. */
export function useHouseholds() {
  const identityId = useMemberId();
  const enabled = identityId !== "";
  const plans = useEntitlements();
  const orders = useOrders();
  const provisions = useQuery(ProvisionService.method.listProvisions, { identityId, pageSize }, { enabled });
  const invitations = useQuery(InvitationService.method.listInvitations, { identityId, pageSize }, { enabled });
  const all = [plans, orders, provisions, invitations];
  const data =
    plans.data && orders.data && provisions.data && invitations.data
      ? {
          holder: holderOf(orders.data.orders),
          households: householdsOf(plans.data.entitlements, provisions.data.provisions, invitations.data.invitations),
        }
      : undefined;
  return {
    data,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    isFetching: all.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
  };
}

/** All people whom any of the plans covers, each once. */
export function usePeople() {
  const households = useHouseholds();
  const found = households.data?.households.flatMap(({ covered }) => covered) ?? [];
  const covered = [...new Map(found.map((person) => [person.id, person])).values()];
  return { ...households, data: households.data && { holder: households.data.holder, covered } };
}

/** Invalidates plans and invitations, so that they are read again. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: EntitlementService, cardinality: undefined }),
      }),
      client.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: InvitationService, cardinality: undefined }),
      }),
    ]);
  };
}

type Ordered = { personalInfo?: { firstName: string; lastName: string } | undefined };

function holderOf(orders: readonly Ordered[]): string {
  const named = orders.find(({ personalInfo }) => personalInfo)?.personalInfo;
  return named ? `${named.firstName} ${named.lastName}`.trim() : "";
}

/** The active plans, joined with the known names. */
export function householdsOf(
  plans: readonly Entitlement[],
  provisions: readonly Provision[],
  invitations: readonly Invitation[],
): Household[] {
  const names = new Map<string, string>();
  for (const { invitee, acceptedById } of invitations)
    if (invitee && acceptedById !== "") names.set(acceptedById, invitee.name);
  for (const user of provisions.flatMap(({ authorizedUsers }) => authorizedUsers)) {
    if (user.identityId !== "") names.set(user.identityId, `${user.firstName} ${user.lastName}`.trim());
  }
  const bought = provisions.flatMap(({ lines }) => lines);
  return plans
    .filter(({ status }) => status === EntitlementStatus.ACTIVE)
    .map((plan) => {
      // Older plans have no names of their people: those come from orders and invitations.
      const covered = plan.authorizedUsers.map(({ id, name, permissionType }) => ({
        id,
        name: name || (names.get(id) ?? ""),
        relation: permissionType,
      }));
      const here = invitations.filter(
        ({ resourceType, resourceId }) => resourceType === ResourceType.ENTITLEMENT && resourceId === plan.id,
      );
      return {
        plan,
        covers: bought.find(({ entitlementId }) => entitlementId === plan.id)?.covers ?? [],
        covered,
        invited: here.filter(({ status }) => status === InvitationStatus.PENDING),
        waiting: here.filter(
          ({ status, acceptedById }) =>
            status === InvitationStatus.ACCEPTED && !covered.some(({ id }) => id === acceptedById),
        ),
      };
    });
}
