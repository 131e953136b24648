import { create } from "@bufbuild/protobuf";
import { CoveredRelationSchema, RelationType } from "@pavise/schema/pavise/common/v1/plan_pb";
import { EntitlementSchema, EntitlementStatus } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { ProvisionSchema } from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import { ResourceType } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { InvitationSchema, InvitationStatus } from "@pavise/schema/pavise/identity/v1/invitation_pb";
import { expect, test } from "vitest";
import { householdsOf, takenOf } from "./people.ts";
import { relationsOf } from "./Relation.tsx";

const plan = (id: string, people: readonly string[], status = EntitlementStatus.ACTIVE) =>
  create(EntitlementSchema, {
    id,
    status,
    authorizedUsers: people.map((person) => ({ id: person, permissionType: RelationType.SPOUSE })),
  });
const invitation = (name: string, resourceId: string, acceptedById = "") =>
  create(InvitationSchema, {
    invitee: { name },
    resourceType: ResourceType.ENTITLEMENT,
    resourceId,
    acceptedById,
    status: acceptedById === "" ? InvitationStatus.PENDING : InvitationStatus.ACCEPTED,
  });

test("people have the names they were ordered or invited with", () => {
  const provision = create(ProvisionSchema, {
    authorizedUsers: [{ identityId: "c", firstName: "Charles", lastName: "Example" }],
  });
  const [household] = householdsOf([plan("p", ["c", "g", "x"])], [provision], [invitation("Grace", "p", "g")]);
  expect(household?.covered.map(({ name }) => name)).toEqual(["Charles Example", "Grace", ""]);
});

test("who accepted waits until he is on the plan, who did not is invited, each to his own plan", () => {
  const invitations = [
    invitation("Grace", "p", "g"),
    invitation("Hedy", "p", "h"),
    invitation("Joan", "p"),
    invitation("Mary", "q"),
  ];
  const [first, second, ...none] = householdsOf(
    [plan("p", ["g"]), plan("q", []), plan("r", [], EntitlementStatus.CANCELLED)],
    [],
    invitations,
  );
  expect(first?.waiting.map(({ invitee }) => invitee?.name)).toEqual(["Hedy"]);
  expect(first?.invited.map(({ invitee }) => invitee?.name)).toEqual(["Joan"]);
  expect(second?.invited.map(({ invitee }) => invitee?.name)).toEqual(["Mary"]);
  expect(none).toEqual([]);
});

function householdOf(covers: { type: RelationType; most: number }[], awaited: readonly RelationType[]) {
  return {
    covers: covers.map((rule) => create(CoveredRelationSchema, rule)),
    covered: [{ id: "s", name: "Sam", relation: RelationType.SPOUSE }],
    invited: awaited.map((relationType, at) =>
      create(InvitationSchema, { id: `i${at}`, invitee: { name: "Kim", relationType } }),
    ),
    waiting: [],
  };
}

test("a relation is taken when the plan has or awaits as many as it covers", () => {
  const { SPOUSE, DEPENDENT } = RelationType;
  expect(takenOf(householdOf([], [DEPENDENT, DEPENDENT]))).toEqual(new Set([SPOUSE]));
  const two = [{ type: DEPENDENT, most: 2 }];
  expect(takenOf(householdOf(two, [DEPENDENT]))).toEqual(new Set([SPOUSE]));
  expect(takenOf(householdOf(two, [DEPENDENT, DEPENDENT]))).toEqual(new Set([SPOUSE, DEPENDENT]));
  expect(takenOf(householdOf(two, [DEPENDENT, DEPENDENT]), "i0")).toEqual(new Set([SPOUSE]));
});

/** The relations that a plan offers that was bought with these. */
function offered(types: readonly RelationType[]) {
  const lines = [{ entitlementId: "p", covers: types.map((type) => ({ type })) }];
  const [found] = householdsOf([plan("p", [])], [create(ProvisionSchema, { lines })], []);
  return found && relationsOf(found);
}

test("a plan offers the relations that it was bought with", () => {
  const { SPOUSE, DEPENDENT, ELDER, UNSPECIFIED } = RelationType;
  expect(offered([DEPENDENT])).toEqual([DEPENDENT]);
  expect(offered([SPOUSE, UNSPECIFIED])).toEqual([SPOUSE, DEPENDENT, ELDER]);
  expect(offered([])).toEqual([SPOUSE, DEPENDENT, ELDER]);
});
