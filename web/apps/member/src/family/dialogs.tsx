// Invites somebody to a plan, and adds who accepted.
import { useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { LOCALE_NAMES, LOCALES as LOCALE_IDS } from "@pavise/i18n/locale.ts";
import { isEmail } from "@pavise/rules/patterns.ts";
import { RelationType } from "@pavise/schema/pavise/common/v1/plan_pb";
import type { Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { EntitlementService } from "@pavise/schema/pavise/fulfillment/v1/entitlement_service_pb";
import { ResourceType } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { InvitationService } from "@pavise/schema/pavise/identity/v1/invitation_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { toast } from "@pavise/ui/Toast.tsx";
import { useState, type FormEvent } from "react";
import { Refused } from "../app/Loaded.tsx";
import { LOCALES } from "../app/words.ts";
import { nameOf } from "../member/holdings.ts";
import { focusFirstWrong } from "../order/AccountStep.tsx";
import { useRefresh } from "./people.ts";
import page from "../app/Page.module.css";

/** Asks for the name and the address of whom a letter shall go to. */
export function InviteDialog({ plan, onClose }: { plan: Entitlement; onClose: () => void }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const refresh = useRefresh();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [language, setLanguage] = useState(locale);
  const [checked, setChecked] = useState(false);
  const invite = useMutation(InvitationService.method.createInvitation, {
    onSuccess: () => {
      onClose();
      toast({ title: _("family.invited") });
      return refresh();
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setChecked(true);
    if (name.trim() === "" || !isEmail(email.trim())) {
      focusFirstWrong(event.currentTarget);
      return;
    }
    invite.mutate({
      identityId: plan.ownerId,
      invitee: { name: name.trim(), email: email.trim(), locale: LOCALES[language] },
      resourceType: ResourceType.ENTITLEMENT,
      resourceId: plan.id,
    });
  }
  return (
    <Dialog title={_("family.invite")} open onOpenChange={(open) => (open ? undefined : onClose())} stays>
      <form className={page.form} onSubmit={submit} noValidate>
        <p className={page.soft}>{_("family.invite.lead")}</p>
        <TextField
          label={_("security.name")}
          value={name}
          onChange={setName}
          maxLength={120}
          autoComplete="off"
          error={checked && name.trim() === "" ? _("details.missing") : undefined}
        />
        <TextField
          label={_("account.email")}
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="off"
          error={checked && !isEmail(email.trim()) ? _("account.email.wrong") : undefined}
        />
        <NativeSelect
          label={_("family.invite.language")}
          choices={LOCALE_IDS.map((id) => ({ id, label: LOCALE_NAMES[id] }))}
          value={language}
          onChange={setLanguage}
        />
        {invite.error ? <Refused error={invite.error} /> : null}
        <div className={page.actions}>
          <Button kind="primary" type="submit" isPending={invite.isPending}>
            {_("family.invite.send")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const FAMILY = [RelationType.SPOUSE, RelationType.DEPENDENT, RelationType.ELDER];
const BUSINESS = [RelationType.NORMAL_USER, RelationType.CO_OWNER];

/** Asks what somebody is to the holder. */
export function AddDialog({ plan, personId, name, onClose }: { plan: Entitlement; personId: string; name: string; onClose: () => void }) {
  const { _ } = useLingui();
  const refresh = useRefresh();
  const kinds = plan.business ? BUSINESS : FAMILY;
  const [chosen, setChosen] = useState(nameOf(RelationType, kinds[0] ?? RelationType.DEPENDENT));
  const add = useMutation(EntitlementService.method.addAuthorizedUsers, {
    onSuccess: () => {
      onClose();
      toast({ title: _("family.added", { name }) });
      return refresh();
    },
  });
  const permissionType = kinds.find((kind) => nameOf(RelationType, kind) === chosen) ?? RelationType.DEPENDENT;
  return (
    <Dialog
      title={_("family.add.title", { name })}
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      actions={
        <Button
          kind="primary"
          isPending={add.isPending}
          onPress={() =>
            add.mutate({ identityId: plan.ownerId, entitlementId: plan.id, authorizedUsers: [{ id: personId, permissionType, name }] })
          }
        >
          {_("family.add")}
        </Button>
      }
    >
      <NativeSelect
        label={_("family.relation", { name })}
        choices={kinds.map((kind) => ({ id: nameOf(RelationType, kind), label: _(`family.kind.${nameOf(RelationType, kind)}`) }))}
        value={chosen}
        onChange={setChosen}
      />
      {add.error ? <Refused error={add.error} /> : null}
    </Dialog>
  );
}
