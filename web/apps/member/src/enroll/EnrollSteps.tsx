// The steps of an enrollment. The address names the current one, so that a reload and the browser's back go on with it.
import { useLingui } from "@lingui/react";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import type { EnrollmentOptions } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { Note } from "@pavise/ui/Notice.tsx";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { wantedBy } from "../order/details.ts";
import { REASONS } from "../order/Payment.tsx";
import { StepList } from "../order/Steps.tsx";
import type { Plan } from "../shop/catalog.ts";
import { cartOf } from "./chosen.ts";
import { sentence } from "./Closed.tsx";
import { EmployeeStep } from "./EmployeeStep.tsx";
import { PeopleStep } from "./PeopleStep.tsx";
import { PlansStep } from "./PlansStep.tsx";
import { ReviewStep } from "./ReviewStep.tsx";
import { stepAfter, stepFor, stepNamed, stepsFor, type Step } from "./steps.ts";
import { Terms } from "./Terms.tsx";

export type EnrollStepsProps = {
  options: EnrollmentOptions;
  /** Not set until the first step is saved. */
  enrollment: GroupEnrollment | undefined;
  plans: readonly Plan[];
};

const LABELS: Readonly<Record<Step, string>> = {
  plans: "enroll.step.plans",
  people: "enroll.step.people",
  details: "enroll.step.details",
  review: "enroll.step.review",
};

/** The current step, under the employer's terms. */
export function EnrollSteps(props: EnrollStepsProps) {
  const { _ } = useLingui();
  const { options, enrollment, plans } = props;
  const { step: asked } = useSearch({ from: "/pages/member/enroll/$groupId" });
  const { seats } = wantedBy(cartOf(enrollment), plans);
  const step = stepFor(stepNamed(asked), enrollment, seats);
  const steps = stepsFor(seats).map((id) => ({ id, label: LABELS[id] }));
  return (
    <>
      <Terms options={options} />
      <StepList steps={steps} current={step} />
      {enrollment?.failure ? (
        <Note tone="danger" spoken title={_("enroll.failed.title")}>
          <p>{sentence(enrollment.failure.message)}</p>
          {REASONS.has(enrollment.failure.reason) ? <p>{_(`payment.declined.${enrollment.failure.reason}`)}</p> : null}
          <p>{_("enroll.failed.detail")}</p>
        </Note>
      ) : null}
      <Current {...props} step={step} />
    </>
  );
}

function Current({ options, enrollment, plans, step }: EnrollStepsProps & { step: Step }) {
  const navigate = useNavigate();
  const { groupId } = options;
  const goAfter = (done: Step, seats: number) =>
    void navigate({ to: "/enroll/$groupId", params: { groupId }, search: { step: stepAfter(done, seats) } });
  if (enrollment === undefined || step === "plans")
    return (
      <PlansStep options={options} enrollment={enrollment} plans={plans} onSaved={(seats) => goAfter("plans", seats)} />
    );
  const wanted = wantedBy(cartOf(enrollment), plans);
  const onSaved = () => goAfter(step, wanted.seats);
  if (step === "people") return <PeopleStep enrollment={enrollment} wanted={wanted} onSaved={onSaved} />;
  if (step === "details") return <EmployeeStep options={options} enrollment={enrollment} onSaved={onSaved} />;
  return <ReviewStep options={options} enrollment={enrollment} plans={plans} />;
}
