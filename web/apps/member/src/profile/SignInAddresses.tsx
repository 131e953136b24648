// The addresses with which a member signs in, and which get codes and notices about the account.
import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { isEmail } from "@pavise/rules/patterns.ts";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { UNPROVED } from "@pavise/session/UnprovedEmail.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { useMemberId } from "../member/holdings.ts";
import page from "@pavise/ui/Part.module.css";

/** The part of the profile page. */
export function SignInAddresses() {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const client = useQueryClient();
  const identity = useQuery(IdentityService.method.getIdentity, { identityId }, { enabled: identityId !== "" });
  const [email, setEmail] = useState("");
  const typed = email.trim();
  const refresh = async () => {
    await client.invalidateQueries({
      queryKey: createConnectQueryKey({ schema: IdentityService.method.getIdentity, cardinality: "finite" }),
    });
    // A new address waits for its proof.
    await client.invalidateQueries({ queryKey: [UNPROVED] });
  };
  const add = useMutation(IdentityService.method.addEmail, {
    onSuccess: () => {
      setEmail("");
      return refresh();
    },
  });
  const remove = useMutation(IdentityService.method.removeEmail, { onSuccess: refresh });
  return (
    <Part id="sign-in" title={_("profile.signIn")}>
      <p className={page.soft}>{_("profile.signIn.lead")}</p>
      <Loaded query={identity} lines={2}>
        {({ emails }) => (
          <div className={page.rows}>
            {emails.map(({ address }) => (
              <div key={address} className={page.line}>
                <span>{address}</span>
                {emails.length > 1 ? (
                  <Button
                    kind="quiet"
                    isPending={remove.isPending && remove.variables?.email === address}
                    onPress={() => remove.mutate({ identityId, email: address })}
                    aria-label={_("profile.signIn.remove.label", { email: address })}
                  >
                    {_("profile.remove")}
                  </Button>
                ) : null}
              </div>
            ))}
          </div>
        )}
      </Loaded>
      {(add.error ?? remove.error) ? <Refused error={add.error ?? remove.error} /> : null}
      <Form right={isEmail(typed)} error={add.error} onSend={() => add.mutate({ identityId, email: typed })}>
        {(checked) => (
          <>
            <TextField
              label={_("profile.signIn.add")}
              type="email"
              name="email"
              maxLength={LENGTHS["identity.v1.AddEmailRequest.email"]}
              autoComplete="email"
              value={email}
              onChange={setEmail}
              error={checked && !isEmail(typed) ? _("account.email.wrong") : undefined}
            />
            <div className={page.actions}>
              <Button type="submit" isPending={add.isPending}>
                {_("profile.signIn.save")}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Part>
  );
}
