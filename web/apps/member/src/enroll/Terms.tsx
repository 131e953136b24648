// The terms of an employer: who pays, from when on, and until when they can enroll.
import { useLingui } from "@lingui/react";
import type { EnrollmentOptions } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { dayText, DayText, Facts } from "@pavise/ui/Value.tsx";
import { whoPays } from "./terms.ts";

/** The facts, before the steps. */
export function Terms({ options }: { options: EnrollmentOptions }) {
  const { _, i18n } = useLingui();
  const { opensOn, closesOn } = options.openEnrollmentInfo ?? {};
  const days = opensOn && closesOn && [opensOn, closesOn].map((day) => dayText(i18n.locale, day, true));
  return (
    <Facts
      facts={[
        { name: _("enroll.employer"), value: options.name },
        // Somebody who may not enroll learns the name alone.
        ...(options.effectiveOn
          ? [
              { name: _("enroll.pays"), value: _(whoPays(options.payType)) },
              { name: _("enroll.firstDay"), value: <DayText day={options.effectiveOn} long /> },
            ]
          : []),
        ...(days ? [{ name: _("enroll.days"), value: _("enroll.days.fromTo", { from: days[0], to: days[1] }) }] : []),
      ]}
    />
  );
}
