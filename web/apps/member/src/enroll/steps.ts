// The steps of an enrollment, and where a member goes on with one.
import { GroupEnrollmentStatus, type GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";

/** The steps in order. */
export const STEPS = ["plans", "people", "details", "review"] as const;

/** A step. */
export type Step = (typeof STEPS)[number];

/** The step of that name. */
export function stepNamed(name: unknown): Step | undefined {
  return STEPS.find((step) => step === name);
}

type Progress = Pick<GroupEnrollment, "offers" | "personalInfo" | "address">;

/** The steps of an enrollment. Plans for one person alone ask for nobody else. */
export function stepsFor(seats: number): Step[] {
  return STEPS.filter((step) => step !== "people" || seats > 0);
}

/** The step to show: the asked one, unless one before it is not saved yet; without one, the first that is not saved. */
export function stepFor(asked: Step | undefined, enrollment: Progress | undefined, seats: number): Step {
  if (enrollment === undefined || enrollment.offers.length === 0) return "plans";
  const steps = stepsFor(seats);
  const isDescribed = enrollment.personalInfo !== undefined && enrollment.address !== undefined;
  const last: Step = isDescribed ? "review" : "details";
  // Nobody else to cover is an answer, too: only the details tell that it was given.
  if (asked === undefined) return isDescribed || seats === 0 ? last : "people";
  if (!steps.includes(asked)) return last;
  return STEPS.indexOf(asked) > STEPS.indexOf(last) ? last : asked;
}

/** The step after that one. */
export function stepAfter(step: Step, seats: number): Step {
  const steps = stepsFor(seats);
  return steps[steps.indexOf(step) + 1] ?? "review";
}

type Stage = Pick<GroupEnrollment, "status" | "completedAt">;

/** Whether the platform works on the enrollment. */
export function isUnderWay({ status, completedAt }: Stage): boolean {
  return status === GroupEnrollmentStatus.SUBMITTED && completedAt === undefined;
}

/** The enrollment that a member goes on with: the one that is not completed. There is one at most in a group. */
export function openOf<T extends Stage>(enrollments: readonly T[]): T | undefined {
  return enrollments.find(({ completedAt }) => completedAt === undefined);
}

/** The list with a saved enrollment in its place; a new one comes first. */
export function withSaved<T extends Pick<GroupEnrollment, "id">>(enrollments: readonly T[], saved: T): T[] {
  const isThere = enrollments.some(({ id }) => id === saved.id);
  return isThere ? enrollments.map((one) => (one.id === saved.id ? saved : one)) : [saved, ...enrollments];
}
