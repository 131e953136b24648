// Asks for the member's date of birth.
import { useLingui } from "@lingui/react";
import type { Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { DateField, type Day } from "@pavise/ui/DateField.tsx";
import { useState } from "react";
import { EditDialog } from "./EditDialog.tsx";
import { useSave } from "./profile.ts";

/** The dialog. */
export function BirthDateDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { _ } = useLingui();
  const save = useSave();
  const { id: identityId, dateOfBirth: before } = profile;
  // Of a masked date there is the year only.
  const [day, setDay] = useState<Day | null>(before !== undefined && before.month > 0 ? before : null);
  return (
    <EditDialog
      title={_("people.birthDate")}
      onClose={onClose}
      right={day !== null}
      onSave={() =>
        save(ProfileService.method.updateDateOfBirth, { identityId, ...(day === null ? {} : { dateOfBirth: day }) })
      }
    >
      {(checked) => (
        <DateField
          label={_("people.birthDate")}
          name="date_of_birth"
          value={day}
          onChange={setDay}
          error={checked && day === null ? _("profile.birthDate.missing") : undefined}
        />
      )}
    </EditDialog>
  );
}
