// The data that a kind of factor needs before its verification: a number or an address.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { isEmail } from "@pavise/rules/patterns.ts";
import { FactorType } from "@pavise/schema/pavise/identity/v1/factor_pb";
import type { CreateFactorRequestSchema } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { useUnprovedEmail } from "@pavise/session/UnprovedEmail.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { useState, type ReactNode } from "react";
import { type Kind, phoneNumber, useOwnId } from "./factors.ts";
import page from "@pavise/ui/Part.module.css";

/** The fields of the call, without the owner. */
export type Wanted = Omit<MessageInitShape<typeof CreateFactorRequestSchema>, "identityId" | "$typeName">;

type FactorFormProps = {
  kind: Kind;
  onSubmit: (wanted: Wanted) => void;
  pending: boolean;
  /** The refusal of the last attempt. */
  error?: unknown;
};

/** The form of a kind of factor. */
export function FactorForm({ kind, ...rest }: FactorFormProps) {
  if (kind === FactorType.SMS) return <PhoneForm {...rest} />;
  return <EmailForm {...rest} />;
}

type FormProps = Omit<FactorFormProps, "kind">;

function PhoneForm({ onSubmit, pending, error }: FormProps) {
  const { _ } = useLingui();
  const [typed, setTyped] = useState("");
  const phone = phoneNumber(typed);
  return (
    <Shown
      pending={pending}
      error={error}
      label={_("security.code.send")}
      right={phone !== undefined}
      onSend={() => onSubmit({ type: FactorType.SMS, phoneNumber: phone ?? "" })}
    >
      {(checked) => (
        <TextField
          label={_("security.phone")}
          type="tel"
          name="phone_number"
          autoComplete="tel"
          value={typed}
          onChange={setTyped}
          help={_("security.phone.help")}
          error={checked && phone === undefined ? _("security.phone.wrong") : undefined}
        />
      )}
    </Shown>
  );
}

function EmailForm({ onSubmit, pending, error }: FormProps) {
  const { _ } = useLingui();
  const identityId = useOwnId();
  const identity = useQuery(IdentityService.method.getIdentity, { identityId });
  const [typed, setTyped] = useState<string>();
  const unproved = useUnprovedEmail();
  const primary = identity.data?.emails.find((email) => email.primary)?.address ?? unproved ?? "";
  const email = (typed ?? primary).trim();
  return (
    <Shown
      pending={pending}
      error={error}
      label={_("security.code.send")}
      right={isEmail(email)}
      onSend={() => onSubmit({ type: FactorType.EMAIL, email })}
    >
      {(checked) => (
        <TextField
          label={_("security.email")}
          type="email"
          name="email"
          maxLength={LENGTHS["identity.v1.CreateFactorRequest.email"]}
          autoComplete="email"
          value={typed ?? primary}
          onChange={setTyped}
          help={_("security.email.help")}
          error={checked && !isEmail(email) ? _("security.email.wrong") : undefined}
        />
      )}
    </Shown>
  );
}

type ShownProps = {
  children: (checked: boolean) => ReactNode;
  label: string;
  pending: boolean;
  error: unknown;
  right: boolean;
  onSend: () => void;
};

/** Fields with their submit button. */
function Shown({ children, label, pending, error, right, onSend }: ShownProps) {
  return (
    <Form right={right} onSend={onSend} error={error}>
      {(checked) => (
        <>
          {children(checked)}
          <div className={page.actions}>
            <Button kind="primary" type="submit" isPending={pending}>
              {label}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}
