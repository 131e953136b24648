// Asks for the member's national identifier. Answers leave only its last four digits, so that it is always typed anew.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { NationalIdentifierType } from "@pavise/schema/pavise/common/v1/person_pb";
import type { Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { TextField } from "@pavise/ui/Field.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { useState } from "react";
import { nameOf } from "../member/holdings.ts";
import { EditDialog } from "./EditDialog.tsx";
import { IDENTIFIERS } from "./person.ts";
import { useSave } from "./profile.ts";

/** The dialog. */
export function IdentifierDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const save = useSave();
  const usual = locale.endsWith("CA") ? NationalIdentifierType.SIN : NationalIdentifierType.SSN;
  const [type, setType] = useState<NationalIdentifierType>(usual);
  const [number, setNumber] = useState("");
  const typed = number.trim();
  return (
    <EditDialog
      title={_("profile.identifier")}
      onClose={onClose}
      right={typed !== ""}
      onSave={() =>
        save(ProfileService.method.updateNationalIdentifier, {
          identityId: profile.id,
          nationalIdentifier: { type, value: typed },
        })
      }
    >
      {(checked) => (
        <>
          <NativeSelect
            label={_("profile.identifier.kind")}
            name="national_identifier.type"
            choices={IDENTIFIERS.map((one) => {
              const id = nameOf(NationalIdentifierType, one);
              return { id, label: _(`profile.identifier.${id}`) };
            })}
            value={nameOf(NationalIdentifierType, type)}
            onChange={(name) =>
              setType(IDENTIFIERS.find((one) => nameOf(NationalIdentifierType, one) === name) ?? usual)
            }
          />
          <TextField
            label={_("profile.identifier.number")}
            name="national_identifier.value"
            inputMode="numeric"
            autoComplete="off"
            maxLength={LENGTHS["common.v1.NationalIdentifier.value"]}
            value={number}
            onChange={setNumber}
            error={checked && typed === "" ? _("details.missing") : undefined}
          />
        </>
      )}
    </EditDialog>
  );
}
