// Dialogs that invite a person, add one who accepted, and add one without an account.
import { useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { LOCALE_NAMES, LOCALES as LOCALE_IDS } from "@pavise/i18n/locale.ts";
import { isEmail } from "@pavise/rules/patterns.ts";
import { RelationType } from "@pavise/schema/pavise/common/v1/plan_pb";
import { EntitlementService } from "@pavise/schema/pavise/fulfillment/v1/entitlement_service_pb";
import type { Invitation } from "@pavise/schema/pavise/identity/v1/invitation_pb";
import { ResourceType } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { InvitationService } from "@pavise/schema/pavise/identity/v1/invitation_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { DateField, type Day } from "@pavise/ui/DateField.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { useState } from "react";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { wrongName } from "../app/names.ts";
import { LOCALES } from "../app/words.ts";
import { takenOf, useRefresh, type Household } from "./people.ts";
import { freeRelation, RelationSelect, relationsOf } from "./Relation.tsx";
import page from "@pavise/ui/Part.module.css";

/** Asks for the name and the address of the person to invite. */
export function InviteDialog({ household, onClose }: { household: Household; onClose: () => void }) {
  const { plan } = household;
  const taken = takenOf(household);
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const refresh = useRefresh();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [language, setLanguage] = useState(locale);
  const [relationType, setRelation] = useState(freeRelation(relationsOf(household), taken));
  const invite = useMutation(InvitationService.method.createInvitation, {
    onSuccess: () => {
      onClose();
      toast({ title: _("family.invited") });
      return refresh();
    },
  });
  const right = wrongName(name, LENGTHS["identity.v1.Invitee.name"]) === undefined && isEmail(email.trim());
  function send() {
    invite.mutate({
      identityId: plan.ownerId,
      invitee: { name: name.trim(), email: email.trim(), locale: LOCALES[language], relationType },
      resourceType: ResourceType.ENTITLEMENT,
      resourceId: plan.id,
    });
  }
  return (
    <Dialog title={_("family.invite")} open onOpenChange={(open) => (open ? undefined : onClose())} stays>
      <Form right={right} onSend={send} error={invite.error}>
        {(checked) => (
          <>
            <p className={page.soft}>{_("family.invite.lead")}</p>
            <NameField
              name="invitee.name"
              maxLength={LENGTHS["identity.v1.Invitee.name"]}
              value={name}
              onChange={setName}
              checked={checked}
            />
            <TextField
              label={_("account.email")}
              type="email"
              name="invitee.email"
              maxLength={LENGTHS["identity.v1.Invitee.email"]}
              value={email}
              onChange={setEmail}
              autoComplete="off"
              error={checked && !isEmail(email.trim()) ? _("account.email.wrong") : undefined}
            />
            <RelationSelect
              label={_("family.newcomer.relation")}
              household={household}
              taken={taken}
              value={relationType}
              onChange={setRelation}
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
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Asks for the relation of a person who accepted; the invitation's relation is preset. */
export function AddDialog({
  household,
  invitation,
  onClose,
}: {
  household: Household;
  invitation: Invitation;
  onClose: () => void;
}) {
  const { _ } = useLingui();
  const refresh = useRefresh();
  const name = invitation.invitee?.name ?? "";
  const { plan } = household;
  const taken = takenOf(household, invitation.id);
  const [permissionType, setRelation] = useState(
    freeRelation(relationsOf(household), taken, invitation.invitee?.relationType),
  );
  const [birthDate, setBirthDate] = useState<Day | null>(null);
  const add = useMutation(EntitlementService.method.addAuthorizedUsers, {
    onSuccess: () => {
      onClose();
      toast({ title: _("family.added", { name }) });
      return refresh();
    },
  });
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
            add.mutate({
              identityId: plan.ownerId,
              entitlementId: plan.id,
              authorizedUsers: [
                { id: invitation.acceptedById, permissionType, name, birthDate: birthDate ?? undefined },
              ],
            })
          }
        >
          {_("family.add")}
        </Button>
      }
    >
      <RelationSelect
        label={_("family.relation", { name })}
        household={household}
        taken={taken}
        value={permissionType}
        onChange={setRelation}
      />
      <DateField
        label={_("people.birthDate")}
        name="authorized_users[0].birth_date"
        optional
        value={birthDate}
        onChange={setBirthDate}
      />
      {add.error ? <Refused error={add.error} /> : null}
    </Dialog>
  );
}

/** Asks for the name and relation of a person without a sign-in, such as a child. */
export function NewcomerDialog({ household, onClose }: { household: Household; onClose: () => void }) {
  const { plan } = household;
  const taken = takenOf(household);
  const { _ } = useLingui();
  const refresh = useRefresh();
  const [typed, setTyped] = useState("");
  // The preset relation is the child, the most frequent case.
  const [permissionType, setRelation] = useState(freeRelation(relationsOf(household), taken, RelationType.DEPENDENT));
  const [birthDate, setBirthDate] = useState<Day | null>(null);
  const name = typed.trim();
  const add = useMutation(EntitlementService.method.addAuthorizedUsers, {
    onSuccess: () => {
      onClose();
      toast({ title: _("family.added", { name }) });
      return refresh();
    },
  });
  return (
    <Dialog
      title={_(plan.business ? "family.newcomer.business" : "family.newcomer.title")}
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      stays
    >
      <Form
        right={wrongName(name, LENGTHS["fulfillment.v1.Newcomer.name"]) === undefined}
        error={add.error}
        onSend={() =>
          add.mutate({
            identityId: plan.ownerId,
            entitlementId: plan.id,
            newcomers: [{ name, permissionType, birthDate: birthDate ?? undefined }],
          })
        }
      >
        {(checked) => (
          <>
            <p className={page.soft}>{_("family.newcomer.lead")}</p>
            <NameField
              name="newcomers[0].name"
              maxLength={LENGTHS["fulfillment.v1.Newcomer.name"]}
              value={typed}
              onChange={setTyped}
              checked={checked}
            />
            <RelationSelect
              label={_("family.newcomer.relation")}
              household={household}
              taken={taken}
              value={permissionType}
              onChange={setRelation}
            />
            <DateField
              label={_("people.birthDate")}
              name="newcomers[0].birth_date"
              optional
              value={birthDate}
              onChange={setBirthDate}
            />
            {add.error ? <Refused error={add.error} /> : null}
            <div className={page.actions}>
              <Button kind="primary" type="submit" isPending={add.isPending}>
                {_("family.add")}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** The person whom the dialog is about. */
function NameField({
  value,
  maxLength,
  checked,
  ...rest
}: {
  name: string;
  maxLength: number;
  value: string;
  onChange: (name: string) => void;
  checked: boolean;
}) {
  const { _ } = useLingui();
  const fault = checked ? wrongName(value, maxLength) : undefined;
  return (
    <TextField
      label={_("family.invite.name")}
      {...rest}
      maxLength={maxLength}
      value={value}
      autoComplete="off"
      error={fault === undefined ? undefined : _(fault)}
    />
  );
}
