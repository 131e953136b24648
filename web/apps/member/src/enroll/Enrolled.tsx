// The enrollment is completed: the first day, what is taken from each pay, and where to go on.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import type { EnrollmentOptions } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { DayText, Facts } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { priceText } from "../app/words.ts";
import page from "@pavise/ui/Part.module.css";
import order from "../order/Order.module.css";

type EnrolledProps = { enrollment: GroupEnrollment; options: EnrollmentOptions; onMore: () => void };

/** The confirmation. */
export function Enrolled({ enrollment, options, onMore }: EnrolledProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const client = useQueryClient();
  const { effectiveOn, deduction, employerPart } = enrollment;
  // Plans and invoices were read before: read them again.
  useEffect(() => {
    void client.invalidateQueries();
  }, [client]);
  return (
    <section className={order.waiting}>
      <div className={page.intro}>
        <PageTitle>{_("enroll.done.title")}</PageTitle>
        <p className={page.soft}>{_("enroll.done.lead", { employer: options.name })}</p>
      </div>
      <Facts
        facts={[
          { name: _("enroll.firstDay"), value: <DayText day={effectiveOn} long /> },
          ...(deduction ? [{ name: _("enroll.deduction"), value: priceText(deduction, locale) }] : []),
          ...(employerPart ? [{ name: _("enroll.employerPart"), value: priceText(employerPart, locale) }] : []),
        ]}
      />
      <div className={page.actions}>
        <Link kind="primary" href="/home">
          {_("done.home")}
        </Link>
        {options.isOpen ? (
          <Button kind="quiet" onPress={onMore}>
            {_("enroll.done.more")}
          </Button>
        ) : null}
      </div>
    </section>
  );
}
