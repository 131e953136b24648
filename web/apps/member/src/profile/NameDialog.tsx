// Asks for the member's name, and how people address them.
import { useLingui } from "@lingui/react";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { isName } from "@pavise/rules/patterns.ts";
import type { Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { TextField, type TextFieldProps } from "@pavise/ui/Field.tsx";
import { useState } from "react";
import { wrongName } from "../app/names.ts";
import { EditDialog } from "./EditDialog.tsx";
import { useSave } from "./profile.ts";
import frame from "../app/Page.module.css";

type NamePart = "title" | "firstName" | "middleName" | "lastName" | "suffix" | "preferredName";

/** The path of each part in the request, its greatest length, and whether it may be empty. */
const PARTS: Readonly<Record<NamePart, { name: string; maxLength: number; optional?: true }>> = {
  title: { name: "name.title", maxLength: LENGTHS["common.v1.PersonName.title"], optional: true },
  firstName: { name: "name.first_name", maxLength: LENGTHS["common.v1.PersonName.first_name"] },
  middleName: { name: "name.middle_name", maxLength: LENGTHS["common.v1.PersonName.middle_name"], optional: true },
  lastName: { name: "name.last_name", maxLength: LENGTHS["common.v1.PersonName.last_name"] },
  suffix: { name: "name.suffix", maxLength: LENGTHS["common.v1.PersonName.suffix"], optional: true },
  preferredName: {
    name: "name.preferred_name",
    maxLength: LENGTHS["common.v1.PersonName.preferred_name"],
    optional: true,
  },
};

/** The dialog. */
export function NameDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { _ } = useLingui();
  const save = useSave();
  const [name, setName] = useState<Record<NamePart, string>>({
    title: profile.name?.title ?? "",
    firstName: profile.name?.firstName ?? "",
    middleName: profile.name?.middleName ?? "",
    lastName: profile.name?.lastName ?? "",
    suffix: profile.name?.suffix ?? "",
    preferredName: profile.name?.preferredName ?? "",
  });
  const [pronouns, setPronouns] = useState(profile.pronouns);
  const parts = Object.keys(PARTS) as NamePart[];
  const faultOf = (part: NamePart) => {
    const { maxLength, optional } = PARTS[part];
    return optional && name[part].trim() === "" ? undefined : wrongName(name[part], maxLength);
  };
  const most = LENGTHS["members.v1.UpdatePronounsRequest.pronouns"];
  const areWords = pronouns.trim() === "" || isName(pronouns, most);
  async function send() {
    const { id: identityId, name: before } = profile;
    const typed = Object.fromEntries(parts.map((part) => [part, name[part].trim()])) as Record<NamePart, string>;
    if (parts.some((part) => typed[part] !== (before?.[part] ?? "")))
      await save(ProfileService.method.updateName, { identityId, name: typed });
    // An empty title or preferred name keeps the former one in that call.
    if (typed.title === "" && before?.title) await save(ProfileService.method.updateTitle, { identityId, title: "" });
    if (typed.preferredName === "" && before?.preferredName)
      await save(ProfileService.method.updatePreferredName, { identityId, preferredName: "" });
    if (pronouns.trim() !== profile.pronouns)
      await save(ProfileService.method.updatePronouns, { identityId, pronouns: pronouns.trim() });
  }
  return (
    <EditDialog
      title={_("profile.name.change")}
      onClose={onClose}
      right={areWords && parts.every((part) => faultOf(part) === undefined)}
      onSave={send}
    >
      {(checked) => {
        const line = (part: NamePart): Omit<TextFieldProps, "label"> => {
          const fault = checked ? faultOf(part) : undefined;
          return {
            ...PARTS[part],
            value: name[part],
            onChange: (text) => setName((before) => ({ ...before, [part]: text })),
            error: fault === undefined ? undefined : _(fault),
          };
        };
        return (
          <>
            <div className={frame.pair}>
              <TextField label={_("details.firstName")} autoComplete="given-name" {...line("firstName")} />
              <TextField label={_("profile.middleName")} autoComplete="additional-name" {...line("middleName")} />
            </div>
            <TextField label={_("details.lastName")} autoComplete="family-name" {...line("lastName")} />
            <div className={frame.pair}>
              <TextField label={_("profile.titleBefore")} autoComplete="honorific-prefix" {...line("title")} />
              <TextField label={_("profile.suffix")} autoComplete="honorific-suffix" {...line("suffix")} />
            </div>
            <div className={frame.pair}>
              <TextField
                label={_("profile.preferredName")}
                autoComplete="nickname"
                help={_("profile.preferredName.help")}
                {...line("preferredName")}
              />
              <TextField
                label={_("profile.pronouns")}
                name="pronouns"
                optional
                autoComplete="off"
                maxLength={most}
                help={_("profile.pronouns.help")}
                value={pronouns}
                onChange={setPronouns}
                error={checked && !areWords ? _("details.name.wrong") : undefined}
              />
            </div>
          </>
        );
      }}
    </EditDialog>
  );
}
