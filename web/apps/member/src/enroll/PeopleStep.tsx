// The second step: the family that the plans cover, too.
import { useLingui } from "@lingui/react";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import { GroupEnrollmentService } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useState } from "react";
import { wrongName } from "../app/names.ts";
import type { Wanted } from "../order/details.ts";
import { People } from "../order/People.tsx";
import { coveredBy, dependentsOf, peopleOf } from "./chosen.ts";
import { RefusedEnrollment } from "./Closed.tsx";
import { useSaveEnrollment } from "./enrolling.ts";
import page from "@pavise/ui/Part.module.css";

/** The relations that an enrollment knows. */
const RELATIONS: ReadonlySet<string> = new Set(["SPOUSE", "DEPENDENT"]);

type PeopleStepProps = { enrollment: GroupEnrollment; wanted: Wanted; onSaved: () => void };

/** The form. */
export function PeopleStep({ enrollment, wanted, onSaved }: PeopleStepProps) {
  const { _ } = useLingui();
  const [people, setPeople] = useState(() => coveredBy(peopleOf(enrollment), wanted));
  const save = useSaveEnrollment();
  const { pending, error, run } = useAttempt();
  const isRight = people.every(
    ({ firstName, lastName }) => wrongName(firstName) === undefined && wrongName(lastName) === undefined,
  );
  function send() {
    const dependents = dependentsOf(people, enrollment);
    const at = { identityId: enrollment.ownerId, enrollmentId: enrollment.id };
    const { changeEnrollmentDependents } = GroupEnrollmentService.method;
    void run(() => save(changeEnrollmentDependents, { ...at, dependents }), onSaved);
  }
  return (
    <Form right={isRight} onSend={send} error={error}>
      {(checked) => (
        <>
          <div className={page.intro}>
            <PageTitle>{_("enroll.people.title")}</PageTitle>
            <p className={page.soft}>{_("enroll.people.lead")}</p>
          </div>
          {error === undefined ? null : <RefusedEnrollment error={error} />}
          <People
            people={people}
            onChange={setPeople}
            most={wanted.seats}
            business={false}
            relations={wanted.relations ?? RELATIONS}
            checked={checked}
            path="dependents"
          />
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
