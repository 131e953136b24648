// The third step: who the employee is, where they live, how they are paid, and what they pay with.
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import {
  GroupEnrollmentService,
  type EnrollmentOptions,
} from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import type { Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { useUnprovedEmail } from "@pavise/session/UnprovedEmail.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { useState } from "react";
import { usePaymentMethods } from "../member/holdings.ts";
import { regionOfRefused } from "../order/details.ts";
import { useProfile } from "../profile/profile.ts";
import { RefusedEnrollment } from "./Closed.tsx";
import { addressOf, employeeOf, payPeriodsOf, updateOf, wrongIn } from "./employee.ts";
import { EmployeeFields } from "./EmployeeFields.tsx";
import { useSaveEnrollment } from "./enrolling.ts";
import { PayWith, usePayWith } from "./PayWith.tsx";
import { isPaidByEmployee } from "./terms.ts";
import page from "@pavise/ui/Part.module.css";

type EmployeeStepProps = { options: EnrollmentOptions; enrollment: GroupEnrollment; onSaved: () => void };

/** The form, once it is known what it begins with. */
export function EmployeeStep(props: EmployeeStepProps) {
  const { enrollment, options } = props;
  const profile = useProfile();
  const identity = useQuery(IdentityService.method.getIdentity, { identityId: enrollment.ownerId });
  const unproved = useUnprovedEmail();
  const methods = usePaymentMethods();
  const isKnown =
    (profile.data ?? profile.error) &&
    (identity.data ?? identity.error) &&
    (!isPaidByEmployee(options.payType) || (methods.data ?? methods.error));
  if (!isKnown) return <SkeletonText lines={8} />;
  const email = identity.data?.emails[0]?.address ?? unproved ?? "";
  return <EmployeeForm {...props} profile={profile.data} email={email} />;
}

type EmployeeFormProps = EmployeeStepProps & { profile: Profile | undefined; email: string };

function EmployeeForm(props: EmployeeFormProps) {
  const { _ } = useLingui();
  const { options, enrollment } = props;
  const { payType, countryIdentifier: country } = options;
  const [employee, setEmployee] = useState(() => employeeOf(props));
  const payWith = usePayWith(enrollment);
  const asksPayment = isPaidByEmployee(payType);
  const periods = payPeriodsOf(options);
  const wrong = wrongIn(employee, { country, asksPayPeriod: periods.length > 1 });
  const { send, pending, error, sent } = useSaving({ ...props, employee, payWith: asksPayment ? payWith : undefined });
  const elsewhere = error !== undefined && sent === employee.postalCode ? regionOfRefused(error) : undefined;
  const isRight = Object.keys(wrong).length === 0 && (!asksPayment || payWith.method !== undefined);
  return (
    <Form right={isRight} onSend={send} error={error}>
      {(checked) => (
        <>
          <div className={page.intro}>
            <PageTitle>{_("enroll.details.title")}</PageTitle>
            <p className={page.soft}>{_("enroll.details.lead", { employer: options.name })}</p>
          </div>
          {error === undefined || elsewhere !== undefined ? null : <RefusedEnrollment error={error} />}
          <EmployeeFields
            employee={employee}
            onChange={(part) => setEmployee((before) => ({ ...before, ...part }))}
            wrong={checked ? wrong : {}}
            elsewhere={elsewhere}
            country={country}
            periods={periods}
          />
          {asksPayment ? <PayWith {...payWith} checked={checked} /> : null}
          <div className={page.actions}>
            <Button kind="primary" type="submit" isPending={pending}>
              {_("enroll.continue")}
            </Button>
            <Link kind="quiet" href={`/enroll/${enrollment.groupId}?step=plans`}>
              {_("enroll.back.plans")}
            </Link>
          </div>
        </>
      )}
    </Form>
  );
}

type Saving = Pick<EmployeeStepProps, "options" | "enrollment" | "onSaved"> & {
  employee: ReturnType<typeof employeeOf>;
  /** Not set where the employer or the payroll pays. */
  payWith: ReturnType<typeof usePayWith> | undefined;
};

/** Stores a new card, and saves the form. */
function useSaving({ options, enrollment, onSaved, employee, payWith }: Saving) {
  const { locale } = useLanguage();
  const save = useSaveEnrollment();
  const { pending, error, run } = useAttempt();
  const [sent, setSent] = useState("");
  const { countryIdentifier: country } = options;
  async function saveAll() {
    setSent(employee.postalCode);
    const paymentMethodId = (await payWith?.store(addressOf(employee, country))) ?? "";
    return save(GroupEnrollmentService.method.updateGroupEnrollment, {
      identityId: enrollment.ownerId,
      enrollmentId: enrollment.id,
      ...updateOf(employee, country, locale),
      paymentMethodId,
    });
  }
  return { send: () => void run(saveAll, onSaved), pending, error, sent };
}
