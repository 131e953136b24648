// The member as a person: the name, the pronouns, the date of birth, the national identifier.
import { useLingui } from "@lingui/react";
import type { Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { NationalIdentifierType } from "@pavise/schema/pavise/common/v1/person_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { RemoveDialog } from "@pavise/ui/RemoveDialog.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DayText } from "@pavise/ui/Value.tsx";
import { useState, type ReactNode } from "react";
import { nameOf } from "../member/holdings.ts";
import { BirthDateDialog } from "./BirthDateDialog.tsx";
import { IdentifierDialog } from "./IdentifierDialog.tsx";
import { NameDialog } from "./NameDialog.tsx";
import { fullName, lastFour } from "./person.ts";
import { useSave } from "./profile.ts";
import page from "@pavise/ui/Part.module.css";

type Open = "name" | "birthDate" | "identifier" | "noBirthDate" | "noIdentifier";

/** The part of the page. */
export function Person({ profile }: { profile: Profile }) {
  const { _ } = useLingui();
  const save = useSave();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { id: identityId, name, pronouns, dateOfBirth, nationalIdentifier } = profile;
  const full = fullName(name);
  const kind = nameOf(NationalIdentifierType, nationalIdentifier?.type ?? NationalIdentifierType.UNSPECIFIED);
  return (
    <Part id="person" title={_("profile.person")}>
      <div className={page.rows}>
        <Fact
          name={_("profile.name")}
          value={full === "" ? undefined : full}
          detail={[
            ...(name?.preferredName ? [_("profile.goesBy", { name: name.preferredName })] : []),
            ...(pronouns === "" ? [] : [pronouns]),
          ].join(" · ")}
          onChange={() => setOpen("name")}
        />
        <Fact
          name={_("people.birthDate")}
          value={dateOfBirth ? <DayText day={dateOfBirth} long /> : undefined}
          onChange={() => setOpen("birthDate")}
          onRemove={dateOfBirth ? () => setOpen("noBirthDate") : undefined}
        />
        <Fact
          name={_("profile.identifier")}
          value={
            nationalIdentifier === undefined
              ? undefined
              : _("profile.identifier.ending", {
                  kind: _(`profile.identifier.${kind}`),
                  last4: lastFour(nationalIdentifier.value),
                })
          }
          detail={_("profile.identifier.detail")}
          onChange={() => setOpen("identifier")}
          onRemove={nationalIdentifier ? () => setOpen("noIdentifier") : undefined}
        />
      </div>
      {open === "name" ? <NameDialog profile={profile} onClose={close} /> : null}
      {open === "birthDate" ? <BirthDateDialog profile={profile} onClose={close} /> : null}
      {open === "identifier" ? <IdentifierDialog profile={profile} onClose={close} /> : null}
      {open === "noBirthDate" ? (
        <RemoveDialog
          title={_("profile.remove.title", { item: _("people.birthDate") })}
          onClose={close}
          onRemove={async () => {
            await save(ProfileService.method.updateDateOfBirth, { identityId });
            toast({ title: _("profile.removed") });
          }}
        >
          {_("profile.birthDate.remove")}
        </RemoveDialog>
      ) : null}
      {open === "noIdentifier" ? (
        <RemoveDialog
          title={_("profile.remove.title", { item: _("profile.identifier") })}
          onClose={close}
          onRemove={async () => {
            await save(ProfileService.method.updateNationalIdentifier, { identityId });
            toast({ title: _("profile.removed") });
          }}
        >
          {_("profile.remove.detail")}
        </RemoveDialog>
      ) : null}
    </Part>
  );
}

type FactProps = {
  name: string;
  /** Undefined for what the member has not said. */
  value: ReactNode;
  detail?: string;
  onChange: () => void;
  onRemove?: (() => void) | undefined;
};

/** A fact of the member, with what is done with it. */
function Fact({ name, value, detail = "", onChange, onRemove }: FactProps) {
  const { _ } = useLingui();
  return (
    <div className={`${page.line} ${page.stack}`}>
      <span className={page.lineWords}>
        <span className={page.small}>{name}</span>
        {value === undefined ? (
          <span className={page.soft}>{_("profile.unsaid")}</span>
        ) : (
          <span className={page.name}>{value}</span>
        )}
        {detail === "" ? null : <span className={page.small}>{detail}</span>}
      </span>
      <span className={page.end}>
        <Button
          kind="quiet"
          onPress={onChange}
          aria-label={_(value === undefined ? "profile.say.label" : "profile.change.label", { item: name })}
        >
          {_(value === undefined ? "profile.say" : "profile.change")}
        </Button>
        {onRemove === undefined ? null : (
          <Button kind="quiet" onPress={onRemove} aria-label={_("profile.remove.label", { item: name })}>
            {_("profile.remove")}
          </Button>
        )}
      </span>
    </div>
  );
}
