/** Impersonation: it needs a reason, lasts a short time, and is read-only unless asked otherwise. */
import { useLingui } from "@lingui/react";
import { IdentityRealm, IdentityStatus, type Identity } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Checkbox } from "@pavise/ui/Choices.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextArea } from "@pavise/ui/Field.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { useState } from "react";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { holds } from "../../contract/caller.ts";
import { useForget } from "../../frame/Acting.tsx";
import { useAddress } from "../../frame/address.ts";
import page from "../../console/console.module.css";

const SHORTEST_REASON = 5;
const LONGEST_REASON = 500;
/** The permission for changes in another identity's name. */
const WRITE = "identity.impersonation.write";

/** Begins an impersonation, where the caller may. */
export function Impersonate({ identity }: { identity: Identity }) {
  const { _ } = useLingui();
  const { may, operationOf, caller, ask } = useConsole();
  const keeper = useKeeper();
  const forget = useForget();
  const { go } = useAddress();
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [write, setWrite] = useState(false);
  const { pending, error, run } = useAttempt();
  const can =
    [IdentityRealm.USER, IdentityRealm.GROUP_ADMIN].includes(identity.realm) &&
    identity.status === IdentityStatus.ACTIVE;
  if (!can || caller.actor !== undefined || !may(operationOf(IdentityService.method.impersonate))) return null;
  const said = reason.trim();
  const begin = () =>
    run(async () => {
      await ask(IdentityService.method.impersonate, { identityId: identity.id, reason: said, write, cookie: true });
      await keeper.refresh();
      forget();
      go("/");
    });
  return (
    <>
      <Button onPress={() => setOpen(true)}>{_("Act in its name…")}</Button>
      <Dialog
        open={open}
        danger
        title={_("Act in this identity’s name")}
        onOpenChange={setOpen}
        actions={(close) => (
          <>
            <Button onPress={close}>{_("Cancel")}</Button>
            <Button
              kind="danger"
              isPending={pending}
              isDisabled={said.length < SHORTEST_REASON}
              onPress={() => void begin()}
            >
              {_("Act in its name")}
            </Button>
          </>
        )}
      >
        <div className={page.stack}>
          {error === undefined ? null : <ProblemPanel error={error} />}
          <p>
            {_(
              "For a quarter of an hour at most you see what it sees. The reason stands in its journal, and so does everything that you do.",
            )}
          </p>
          <FieldErrors error={error}>
            <TextArea
              label={_("Reason")}
              name="reason"
              value={reason}
              onChange={setReason}
              maxLength={LONGEST_REASON}
              help={_("At least {limit} characters.", { limit: SHORTEST_REASON })}
            />
          </FieldErrors>
          {holds(caller, WRITE) ? (
            <Checkbox isSelected={write} onChange={setWrite} detail={_("Else you only look.")}>
              {_("Change things, too")}
            </Checkbox>
          ) : null}
        </div>
      </Dialog>
    </>
  );
}
