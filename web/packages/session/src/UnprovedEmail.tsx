// The strip over the first pages of somebody whose e-mail address waits for its proof: the code, or another one.
import { callUnaryMethod, createConnectQueryKey } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useKeeper, useSession } from "./Session.tsx";

/** The beginning of the key of the query of addresses that wait for their proof. */
export const UNPROVED = "unproved e-mail addresses";

/** The identity that proves addresses: the caller, unless they act for another one. */
function useOwnId(): string {
  const session = useSession();
  return session?.actorId === "" ? session.identityId : "";
}

/** The oldest address that waits for its proof. */
export function useUnprovedEmail(): string | undefined {
  const { transport } = useKeeper();
  const identityId = useOwnId();
  const waiting = useQuery({
    queryKey: [UNPROVED, identityId],
    enabled: identityId !== "",
    queryFn: ({ signal }) =>
      callUnaryMethod(transport, IdentityService.method.listUnprovedEmails, { identityId }, { signal }),
  });
  return waiting.data?.emails[0]?.address;
}

/** Asks for the proof of the oldest address that waits for one; empty when none does. */
export function UnprovedEmail() {
  const identityId = useOwnId();
  const queries = useQueryClient();
  const email = useUnprovedEmail();
  if (email === undefined) return null;
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: [UNPROVED] });
    const schema = IdentityService.method.getIdentity;
    await queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema, cardinality: "finite" }) });
  };
  return <Proof key={email} identityId={identityId} email={email} onProved={() => void refresh()} />;
}

type ProofProps = { identityId: string; email: string; onProved: () => void };

function Proof({ identityId, email, onProved }: ProofProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const { transport } = keeper;
  const [code, setCode] = useState("");
  const [sent, setSent] = useState(false);
  const { pending, error, run } = useAttempt();
  const typed = code.trim();
  async function prove() {
    await callUnaryMethod(transport, IdentityService.method.proveEmail, { identityId, email, code: typed });
    // The tokens of staff have their rights only after the proof.
    await keeper.renew();
  }
  return (
    <Note
      title={_("Confirm your e-mail address")}
      actions={
        <Button
          kind="quiet"
          isDisabled={pending || sent}
          onPress={() =>
            void run(
              () => callUnaryMethod(transport, IdentityService.method.sendEmailCode, { identityId, email }),
              () => setSent(true),
            )
          }
        >
          {sent ? _("Sent") : _("Send the code again")}
        </Button>
      }
    >
      <p>{_("A letter with a code went to {email}.", { email })}</p>
      <Form right={typed !== ""} error={error} onSend={() => void run(prove, onProved)}>
        {() => (
          <>
            <TextField
              label={_("The code from the letter")}
              name="code"
              value={code}
              onChange={setCode}
              autoComplete="one-time-code"
              maxLength={32}
              mono
              error={error === undefined ? undefined : _("This code is not right, or not any more.")}
            />
            <Button type="submit" isPending={pending}>
              {_("Confirm")}
            </Button>
          </>
        )}
      </Form>
    </Note>
  );
}
