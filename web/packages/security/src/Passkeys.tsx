// Passkeys: keys on phones and computers that suffice for a sign-in.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { callUnaryMethod, useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import type { Passkey } from "@pavise/schema/pavise/identity/v1/passkey_pb";
import { FactorService } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { knowsPasskeys, makeCredential } from "@pavise/session/passkey.ts";
import { useKeeper, useSession } from "@pavise/session/Session.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button, IconButton } from "@pavise/ui/Button.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { IconMore } from "@pavise/ui/icons.tsx";
import { Menu, MenuItem } from "@pavise/ui/Menu.tsx";
import { RemoveDialog } from "@pavise/ui/RemoveDialog.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DateTime } from "@pavise/ui/Value.tsx";
import { useState } from "react";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { deviceName } from "./device.ts";
import { useOwnId, usePasskeys, useRefresh } from "./factors.ts";
import { RenameDialog } from "./Rename.tsx";
import page from "@pavise/ui/Part.module.css";
import styles from "./security.module.css";

/** The passkeys. */
export function Passkeys() {
  const { _ } = useLingui();
  const identityId = useOwnId();
  const keeper = useKeeper();
  const { transport } = keeper;
  const needed = useSession()?.needsSecondFactor ?? false;
  const passkeys = usePasskeys();
  const refresh = useRefresh();
  const { pending, error, run } = useAttempt();

  async function make() {
    const begun = await callUnaryMethod(transport, FactorService.method.beginPasskeyRegistration, { identityId });
    const credentialJson = await makeCredential(begun.optionsJson);
    const name = deviceName(navigator.userAgent);
    await callUnaryMethod(transport, FactorService.method.createPasskey, {
      identityId,
      challengeId: begun.challengeId,
      credentialJson,
      name,
    });
    // With its first second factor the session has all rights.
    if (needed) await keeper.renew();
    await refresh();
    toast({ title: _("security.passkeys.added") });
  }

  return (
    <Part
      id="passkeys"
      title={_("security.passkeys")}
      end={
        knowsPasskeys() ? (
          <Button kind="quiet" isPending={pending} onPress={() => void run(make)}>
            {_("security.passkeys.add")}
          </Button>
        ) : null
      }
    >
      <p className={page.soft}>{_(knowsPasskeys() ? "security.passkeys.lead" : "security.passkeys.unknown")}</p>
      {error === undefined ? null : <Refused error={error} />}
      <Loaded query={passkeys} lines={1}>
        {({ passkeys: all }) =>
          all.length === 0 ? (
            <p>{_("security.passkeys.none")}</p>
          ) : (
            <div className={page.rows}>
              {all.map((passkey) => (
                <PasskeyLine key={passkey.id} passkey={passkey} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Part>
  );
}

function PasskeyLine({ passkey }: { passkey: Passkey }) {
  const { _ } = useLingui();
  const refresh = useRefresh();
  const [open, setOpen] = useState<"rename" | "remove">();
  const ids = { identityId: passkey.ownerId, passkeyId: passkey.id };
  const rename = useMutation(FactorService.method.updatePasskeyName, { onSuccess: refresh });
  const remove = useMutation(FactorService.method.deletePasskey, { onSuccess: refresh });
  const at = passkey.lastUsedAt ?? passkey.createdAt;
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{passkey.name}</span>
        <span className={page.small}>
          {_(passkey.lastUsedAt ? "security.sessions.used" : "security.passkeys.made")}{" "}
          <DateTime at={at ? timestampDate(at) : null} only="date" />
        </span>
      </span>
      <span className={styles.state}>
        <Menu
          label={_("security.manage", { name: passkey.name })}
          trigger={
            <IconButton label={_("security.manage", { name: passkey.name })}>
              <IconMore />
            </IconButton>
          }
        >
          <MenuItem label={_("security.rename")} onAction={() => setOpen("rename")} />
          <MenuItem label={_("security.remove")} danger onAction={() => setOpen("remove")} />
        </Menu>
      </span>
      {open === "rename" ? (
        <RenameDialog
          name={passkey.name}
          onClose={() => setOpen(undefined)}
          onSave={(name) => rename.mutateAsync({ ...ids, name })}
        />
      ) : null}
      {open === "remove" ? (
        <RemoveDialog
          title={_("security.remove.title", { name: passkey.name })}
          onClose={() => setOpen(undefined)}
          onRemove={async () => {
            await remove.mutateAsync(ids);
            toast({ title: _("security.removed") });
          }}
        >
          {_("security.passkeys.remove")}
        </RemoveDialog>
      ) : null}
    </div>
  );
}
