// Shown from the submission of an enrollment until its plans are ordered and paid.
import { useLingui } from "@lingui/react";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { ProgressBar } from "@pavise/ui/Progress.tsx";
import { Slow } from "@pavise/ui/Slow.tsx";
import { useFollowed } from "./enrolling.ts";
import page from "@pavise/ui/Part.module.css";
import order from "../order/Order.module.css";

/** The progress. The page goes on by itself. */
export function BeingSetUp({ enrollment }: { enrollment: GroupEnrollment }) {
  const { _ } = useLingui();
  const query = useFollowed(enrollment);
  return (
    <section className={order.waiting}>
      <div className={page.intro}>
        <PageTitle>{_("enroll.waiting.title")}</PageTitle>
        <p className={page.soft}>{_("waiting.lead")}</p>
      </div>
      {query.error ? (
        <Refused error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      ) : (
        <ProgressBar label={_("waiting.progress")} />
      )}
      <Slow onRetry={() => void query.refetch()} />
    </section>
  );
}
