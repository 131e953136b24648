// The page on which an employee enrolls in plans through their employer. Each step is saved on the server.
import { useLingui } from "@lingui/react";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import type { EnrollmentOptions } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { Loaded } from "@pavise/ui/Loaded.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useParams } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Closed, RefusedEnrollment, wordsOf } from "./Closed.tsx";
import { Enrolled } from "./Enrolled.tsx";
import { EnrollSteps } from "./EnrollSteps.tsx";
import { useEnrollments, useOptions } from "./enrolling.ts";
import { useGroupPlans } from "./offers.ts";
import { isUnderWay, openOf } from "./steps.ts";
import { Terms } from "./Terms.tsx";
import { BeingSetUp } from "./BeingSetUp.tsx";

/** The page of the group that the address names. */
export function EnrollPage() {
  const { groupId } = useParams({ from: "/pages/member/enroll/$groupId" });
  const options = useOptions(groupId);
  const enrollments = useEnrollments(groupId);
  if (options.data === undefined && options.error !== null && wordsOf(options.error) !== undefined)
    return (
      <Titled>
        <RefusedEnrollment error={options.error} onRetry={() => void options.refetch()} retrying={options.isFetching} />
      </Titled>
    );
  const query = {
    data: options.data && enrollments.data && { options: options.data, own: enrollments.data.groupEnrollments },
    error: options.error ?? enrollments.error,
    isFetching: options.isFetching || enrollments.isFetching,
    refetch: () => Promise.all([options.refetch(), enrollments.refetch()]),
  };
  return (
    <Loaded query={query} lines={6}>
      {({ options: found, own }) => <Stage key={groupId} options={found} own={own} onRetry={query.refetch} />}
    </Loaded>
  );
}

/** The title of the page where no step has one of its own. */
function Titled({ children }: { children: ReactNode }) {
  const { _ } = useLingui();
  return (
    <>
      <PageTitle>{_("enroll.title")}</PageTitle>
      {children}
    </>
  );
}

type StageProps = { options: EnrollmentOptions; own: readonly GroupEnrollment[]; onRetry: () => unknown };

/** The stage of the member's enrollment: begun, submitted, completed, or not possible. */
function Stage({ options, own, onRetry }: StageProps) {
  // The completed enrollment after which the member chooses more plans.
  const [before, setBefore] = useState("");
  const open = openOf(own);
  const [done] = own;
  if (open !== undefined && isUnderWay(open)) return <BeingSetUp enrollment={open} />;
  if (open === undefined && done !== undefined && done.id !== before)
    return <Enrolled enrollment={done} options={options} onMore={() => setBefore(done.id)} />;
  if (!options.isOpen)
    return (
      <Titled>
        <Terms options={options} />
        <Closed groupId={options.groupId} enrollment={open} onRetry={() => void onRetry()} />
      </Titled>
    );
  return <Open options={options} enrollment={open} />;
}

/** The steps, once the plans are known. */
function Open({ options, enrollment }: { options: EnrollmentOptions; enrollment: GroupEnrollment | undefined }) {
  const { _ } = useLingui();
  const plans = useGroupPlans(options);
  return (
    <Loaded query={plans} lines={8}>
      {(found) =>
        found.length === 0 ? (
          <Titled>
            <Terms options={options} />
            <EmptyState title={_("enroll.none")} />
          </Titled>
        ) : (
          <EnrollSteps options={options} enrollment={enrollment} plans={found} />
        )
      }
    </Loaded>
  );
}
