// The e-mail addresses by which the member is reached.
import { useLingui } from "@lingui/react";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { isEmail } from "@pavise/rules/patterns.ts";
import type { Profile, ProfileEmail } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { TextField } from "@pavise/ui/Field.tsx";
import { useState } from "react";
import { EditDialog, isTwice, Primary } from "./EditDialog.tsx";
import { Items } from "./Items.tsx";
import { useSave } from "./profile.ts";

/** The part of the page. */
export function Emails({ profile }: { profile: Profile }) {
  const { _ } = useLingui();
  const save = useSave();
  const identityId = profile.id;
  return (
    <Items
      id="emails"
      title={_("profile.emails")}
      lead={_(profile.emails.length > 0 ? "profile.emails.lead" : "profile.emails.none")}
      addLabel={_("profile.emails.add")}
      items={profile.emails}
      textOf={({ address }) => address}
      onPrimary={({ id, address }) =>
        save(ProfileService.method.updateEmail, { identityId, emailId: id, email: { address, primary: true } })
      }
      onRemove={({ id }) => save(ProfileService.method.removeEmail, { identityId, emailId: id })}
      dialog={(item, close) => <EmailDialog identityId={identityId} item={item} onClose={close} />}
    />
  );
}

type EmailDialogProps = { identityId: string; item: ProfileEmail | undefined; onClose: () => void };

function EmailDialog({ identityId, item, onClose }: EmailDialogProps) {
  const { _ } = useLingui();
  const save = useSave();
  const [address, setAddress] = useState(item?.address ?? "");
  const [primary, setPrimary] = useState(item?.primary ?? false);
  const [sent, setSent] = useState("");
  const typed = address.trim();
  const right = isEmail(typed);
  return (
    <EditDialog
      title={_(item ? "profile.emails.change" : "profile.emails.add")}
      onClose={onClose}
      right={right}
      onSave={() => {
        setSent(typed);
        const email = { address: typed, primary };
        return item
          ? save(ProfileService.method.updateEmail, { identityId, emailId: item.id, email })
          : save(ProfileService.method.addEmail, { identityId, email });
      }}
    >
      {(checked, refused) => (
        <>
          <TextField
            label={_("account.email")}
            type="email"
            name="email.address"
            maxLength={LENGTHS["members.v1.ProfileEmail.address"]}
            autoComplete="email"
            value={address}
            onChange={setAddress}
            error={
              checked && !right
                ? _("account.email.wrong")
                : sent === typed && isTwice(refused, "email", "emails")
                  ? _("profile.twice")
                  : undefined
            }
          />
          <Primary item={item} value={primary} onChange={setPrimary}>
            {_("profile.emails.primary")}
          </Primary>
        </>
      )}
    </EditDialog>
  );
}
