// The member's enrollments through employers, for the first page of members.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { dayText, StatusDot } from "@pavise/ui/Value.tsx";
import { priceText } from "../app/words.ts";
import { useEnrollments, useOptions } from "./enrolling.ts";
import { isUnderWay } from "./steps.ts";
import page from "@pavise/ui/Part.module.css";

/** The enrollments, each with what is next; nothing for a member who has none. */
export function Enrollments() {
  const { _ } = useLingui();
  const { data } = useEnrollments();
  if (data === undefined || data.groupEnrollments.length === 0) return null;
  return (
    <Part id="enrollments" title={_("enroll.list.title")}>
      <div className={page.rows}>
        {data.groupEnrollments.map((enrollment) => (
          <EnrollmentLine key={enrollment.id} enrollment={enrollment} />
        ))}
      </div>
    </Part>
  );
}

function EnrollmentLine({ enrollment }: { enrollment: GroupEnrollment }) {
  const { _ } = useLingui();
  const { groupId, completedAt } = enrollment;
  // A group that is not active any more has no options, and no name for the member.
  const employer = useOptions(groupId).data?.name ?? _("enroll.list.unnamed");
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{employer}</span>
        {completedAt === undefined ? null : <Outcome enrollment={enrollment} />}
      </span>
      {completedAt !== undefined ? (
        <StatusDot tone="good">{_("enroll.list.done")}</StatusDot>
      ) : isUnderWay(enrollment) ? (
        <Link href={`/enroll/${groupId}`}>{_("home.underWay.look")}</Link>
      ) : (
        <Link href={`/enroll/${groupId}`}>{_("enroll.list.goOn", { employer })}</Link>
      )}
    </div>
  );
}

/** The first day, and what is taken from each pay. */
function Outcome({ enrollment: { effectiveOn, deduction } }: { enrollment: GroupEnrollment }) {
  const { _, i18n } = useLingui();
  const { locale } = useLanguage();
  const day = effectiveOn ? dayText(i18n.locale, effectiveOn, true) : "";
  return (
    <span className={page.small}>
      {deduction
        ? _("enroll.list.deducted", { day, price: priceText(deduction, locale) })
        : _("enroll.list.from", { day })}
    </span>
  );
}
