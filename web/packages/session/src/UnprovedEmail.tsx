// The strip over the first pages of somebody whose address, or a change of whose names, waits for the code of a letter.
import { callUnaryMethod, createConnectQueryKey } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import type { UnprovedEmail as Waiting } from "@pavise/schema/pavise/identity/v1/email_address_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { heldBy, isUnclear, type Held } from "./held.ts";
import { Refusal } from "./Refusal.tsx";
import { useKeeper, useSession } from "./Session.tsx";

/** The beginning of the key of the query of addresses that wait for their proof. */
export const UNPROVED = "unproved e-mail addresses";

/** The identity that proves addresses: the caller, unless they act for another one. */
function useOwnId(): string {
  const session = useSession();
  return session?.actorId === "" ? session.identityId : "";
}

/** The address or change that has waited the longest for the code of a letter. */
function useWaiting(): Waiting | undefined {
  const { transport } = useKeeper();
  const identityId = useOwnId();
  const waiting = useQuery({
    queryKey: [UNPROVED, identityId],
    enabled: identityId !== "",
    queryFn: ({ signal }) =>
      callUnaryMethod(transport, IdentityService.method.listUnprovedEmails, { identityId }, { signal }),
  });
  return waiting.data?.emails[0];
}

/** The oldest address that waits for its proof. */
export function useUnprovedEmail(): string | undefined {
  return useWaiting()?.address;
}

/** The address or change that the code confirms; undefined until that is known. */
function useHeld(waiting: Waiting | undefined): Held | undefined {
  const { transport } = useKeeper();
  const identityId = useOwnId();
  const unclear = waiting !== undefined && isUnclear(waiting);
  const own = useQuery({
    queryKey: [UNPROVED, identityId, "own addresses"],
    enabled: unclear,
    queryFn: ({ signal }) => callUnaryMethod(transport, IdentityService.method.getIdentity, { identityId }, { signal }),
  });
  if (waiting === undefined || (unclear && own.data === undefined)) return undefined;
  return heldBy(waiting, own.data?.emails.map(({ address }) => address) ?? []);
}

/** Asks for the code of what has waited the longest; empty when nothing does. */
export function UnprovedEmail() {
  const identityId = useOwnId();
  const queries = useQueryClient();
  const waiting = useWaiting();
  const held = useHeld(waiting);
  if (waiting === undefined || held === undefined) return null;
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: [UNPROVED] });
    const schema = IdentityService.method.getIdentity;
    await queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema, cardinality: "finite" }) });
  };
  const { address } = waiting;
  return <Proof key={address} identityId={identityId} email={address} held={held} onProved={() => void refresh()} />;
}

type ProofProps = { identityId: string; email: string; held: Held; onProved: () => void };

function Proof({ identityId, email, held, onProved }: ProofProps) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const { transport } = keeper;
  const [code, setCode] = useState("");
  const [sent, setSent] = useState(false);
  const { pending, error, run } = useAttempt();
  const typed = code.trim();
  const isRefused = error !== undefined && problemOf(error).reason === "EMAIL_CODE_NOT_GOOD";
  async function prove() {
    await callUnaryMethod(transport, IdentityService.method.proveEmail, { identityId, email, code: typed });
    // The tokens of staff have their rights only after the proof.
    await keeper.renew();
  }
  return (
    <Note
      title={
        held.kind === "address"
          ? _("Confirm your e-mail address")
          : held.kind === "replacement"
            ? _("Confirm your new e-mail address")
            : _("Confirm a change of how you sign in")
      }
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
      {held.kind === "names" ? <p>{_("Somebody else asked for this change. It waits until you confirm it.")}</p> : null}
      <Change held={held} />
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
              error={isRefused ? _("This code is not right, or not any more.") : undefined}
            />
            {isRefused ? null : <Refusal error={error} />}
            <Button type="submit" isPending={pending}>
              {held.kind === "names" ? _("Confirm the change") : _("Confirm")}
            </Button>
          </>
        )}
      </Form>
    </Note>
  );
}

/** The effects of the confirmation besides the proof of an address. */
function Change({ held }: { held: Held }) {
  const { _ } = useLingui();
  if (held.kind === "address") return null;
  if (held.kind === "replacement")
    return <p>{_("It takes the place of {names}.", { names: held.removes.join(", ") })}</p>;
  return (
    <ul>
      {held.adds.length > 0 ? <li>{_("You can also sign in as {names}.", { names: held.adds.join(", ") })}</li> : null}
      {held.removes.length > 0 ? (
        <li>{_("You no longer sign in as {names}.", { names: held.removes.join(", ") })}</li>
      ) : null}
      {held.makesPrimary === "" ? null : (
        <li>{_("Letters go to {email} from then on.", { email: held.makesPrimary })}</li>
      )}
    </ul>
  );
}
