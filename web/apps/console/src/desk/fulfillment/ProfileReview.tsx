/** Profile review: authorized users whose address belongs to another identity. Staff decide whether both are one person. */
import { useLingui } from "@lingui/react";
import type { Provision } from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import { ProvisionService } from "@pavise/schema/pavise/fulfillment/v1/provision_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Radio, RadioGroup } from "@pavise/ui/Choices.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { useOnline } from "@pavise/ui/Strip.tsx";
import { useTyped } from "@pavise/ui/typed.ts";
import { toast } from "@pavise/ui/toasts.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { useRef, useState } from "react";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { Section } from "../parts.tsx";
import page from "../../console/console.module.css";

const { method } = ProvisionService;

/** The decisions of a profile review. */
export function ProfileReview({ provision, onDone }: { provision: Provision; onDone: () => Promise<unknown> }) {
  const { _ } = useLingui();
  const { ask, may, operationOf } = useConsole();
  const online = useOnline();
  const collisions = provision.profileReview?.collisions ?? [];
  // The replacement address, for a user who is another person.
  const [others, setOthers] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState(false);
  const key = useRef(crypto.randomUUID());
  const typed = useTyped();
  if (!may(operationOf(method.profileChecked)))
    return <p className={page.soft}>{_("Your permissions do not let you decide this.")}</p>;
  async function decide() {
    setPending(true);
    setError(undefined);
    try {
      const decisions = collisions.map(({ authorizedUserId, identityId }) => {
        const email = others[authorizedUserId];
        return email === undefined ? { authorizedUserId, identityId } : { authorizedUserId, email: email.trim() };
      });
      await ask(
        method.profileChecked,
        { provisionId: provision.id, decisions },
        { version: provision.version, key: key.current },
      );
      toast({ title: _("Done: {what}", { what: _("Decide") }) });
      await onDone();
    } catch (thrown) {
      setError(thrown);
      key.current = crypto.randomUUID();
    } finally {
      setPending(false);
    }
  }
  return (
    <Section title={_("The same person, or another?")}>
      <form
        className={page.stack}
        {...typed.on}
        onSubmit={(event) => {
          event.preventDefault();
          void decide();
        }}
      >
        {error === undefined ? null : <ProblemPanel error={error} />}
        {collisions.map(({ authorizedUserId, identityId }, index) => {
          const user = provision.authorizedUsers.find(({ id }) => id === authorizedUserId);
          const name = user === undefined ? authorizedUserId : `${user.firstName} ${user.lastName}`;
          const other = others[authorizedUserId];
          return (
            <div key={authorizedUserId} className={page.stack}>
              <RadioGroup
                label={`${name} · ${user?.email ?? ""}`}
                value={other === undefined ? "same" : "other"}
                onChange={(which) =>
                  setOthers((before) =>
                    which === "same"
                      ? Object.fromEntries(Object.entries(before).filter(([id]) => id !== authorizedUserId))
                      : { ...before, [authorizedUserId]: "" },
                  )
                }
              >
                <Radio value="same">{_("The same person as the identity that has the address")}</Radio>
                <Radio value="other">{_("Somebody else, with another address")}</Radio>
              </RadioGroup>
              {identityId === "" ? null : (
                <Link href={`/desk/identities/${identityId}`}>{_("See the identity that has the address")}</Link>
              )}
              {other === undefined ? null : (
                <FieldErrors error={error}>
                  <TextField
                    label={_("Address of {name}", { name })}
                    type="email"
                    name={`decisions[${index}].email`}
                    value={other}
                    onChange={(email) => setOthers((before) => ({ ...before, [authorizedUserId]: email }))}
                    autoComplete="off"
                  />
                </FieldErrors>
              )}
            </div>
          );
        })}
        <div>
          <Button
            kind="primary"
            type="submit"
            isPending={pending}
            isDisabled={!online || Object.values(others).some((email) => email.trim() === "")}
          >
            {_("Decide")}
          </Button>
        </div>
      </form>
    </Section>
  );
}
