import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { GroupEnrollmentSchema, GroupEnrollmentStatus } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import { expect, test } from "vitest";
import { isUnderWay, openOf, stepAfter, stepFor, stepNamed, withSaved } from "./steps.ts";

const init = { id: "one", status: GroupEnrollmentStatus.CREATED, offers: [{ offerId: "offer" }] };
const begun = create(GroupEnrollmentSchema, { ...init, offers: [] });
const chosen = create(GroupEnrollmentSchema, init);
const described = create(GroupEnrollmentSchema, { ...init, personalInfo: {}, address: {} });
const completed = create(GroupEnrollmentSchema, {
  ...described,
  id: "two",
  status: GroupEnrollmentStatus.SUBMITTED,
  completedAt: timestampFromDate(new Date(0)),
});

test("a member goes on with the first step that is not saved", () => {
  expect(stepFor(undefined, undefined, 0)).toBe("plans");
  expect(stepFor("review", begun, 8)).toBe("plans");
  expect(stepFor(undefined, chosen, 8)).toBe("people");
  expect(stepFor(undefined, chosen, 0)).toBe("details");
  expect(stepFor(undefined, described, 8)).toBe("review");
});

test("the asked step is shown unless one before it is not saved, or nobody is asked for in it", () => {
  expect(stepFor("review", chosen, 8)).toBe("details");
  expect(stepFor("details", chosen, 8)).toBe("details");
  expect(stepFor("people", chosen, 0)).toBe("details");
  expect(stepFor("people", described, 8)).toBe("people");
  expect(stepFor("plans", described, 8)).toBe("plans");
  expect([stepNamed("people"), stepNamed("payment"), stepNamed(7)]).toEqual(["people", undefined, undefined]);
});

test("plans for one person alone ask for nobody else", () => {
  expect([stepAfter("plans", 8), stepAfter("plans", 0)]).toEqual(["people", "details"]);
  expect([stepAfter("details", 0), stepAfter("review", 8)]).toEqual(["review", "review"]);
});

test("what is completed is not gone on with", () => {
  expect(openOf([completed, described])).toBe(described);
  expect(openOf([completed])).toBeUndefined();
  expect(isUnderWay(completed)).toBe(false);
  expect(isUnderWay({ ...described, status: GroupEnrollmentStatus.SUBMITTED })).toBe(true);
});

test("a saved enrollment takes its place in the list, and a new one comes first", () => {
  expect(withSaved([completed, begun], chosen)).toEqual([completed, chosen]);
  expect(withSaved([completed], chosen)).toEqual([chosen, completed]);
});
