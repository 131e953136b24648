// The second factors of a sign-in: the list, adding, choosing the default, renaming, removing.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import type { Factor } from "@pavise/schema/pavise/identity/v1/factor_pb";
import { FactorService } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { IconButton, Button } from "@pavise/ui/Button.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { IconMore } from "@pavise/ui/icons.tsx";
import { Menu, MenuItem } from "@pavise/ui/Menu.tsx";
import { RemoveDialog } from "@pavise/ui/RemoveDialog.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DateTime, StatusDot } from "@pavise/ui/Value.tsx";
import { useState } from "react";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { AddFactor } from "./AddFactor.tsx";
import { isActive, kindName, useFactors, useRefresh } from "./factors.ts";
import { RenameDialog } from "./Rename.tsx";
import page from "@pavise/ui/Part.module.css";
import styles from "./security.module.css";

/** The factors. */
export function Factors() {
  const { _ } = useLingui();
  const factors = useFactors();
  const [adding, setAdding] = useState(false);
  return (
    <Part
      id="factors"
      title={_("security.factors")}
      end={
        <Button kind="quiet" onPress={() => setAdding(true)}>
          {_("security.factors.add")}
        </Button>
      }
    >
      <p className={page.soft}>{_("security.factors.lead")}</p>
      <Loaded query={factors} lines={2}>
        {({ factors: all }) =>
          all.length === 0 ? (
            <p>{_("security.factors.none")}</p>
          ) : (
            <div className={page.rows}>
              {all.map((factor) => (
                <FactorLine key={factor.id} factor={factor} />
              ))}
            </div>
          )
        }
      </Loaded>
      {adding ? <AddFactor onClose={() => setAdding(false)} /> : null}
    </Part>
  );
}

function FactorLine({ factor }: { factor: Factor }) {
  const { _ } = useLingui();
  const refresh = useRefresh();
  const [open, setOpen] = useState<"rename" | "remove">();
  const [error, setError] = useState<unknown>();
  const ids = { identityId: factor.ownerId, factorId: factor.id };
  const first = useMutation(FactorService.method.setPrimaryFactor, { onSuccess: refresh, onError: setError });
  const rename = useMutation(FactorService.method.updateFactorName, { onSuccess: refresh });
  const remove = useMutation(FactorService.method.deleteFactor, { onSuccess: refresh });
  const active = isActive(factor);
  const kind = _(`security.kind.${kindName(factor.type)}`);
  const detail = factor.destination?.address ?? factor.question?.question ?? "";
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{factor.name || kind}</span>
        <span className={page.small}>
          {detail === "" ? kind : detail}
          {factor.lastUsedAt ? (
            <>
              {" · "}
              {_("security.sessions.used")} <DateTime at={timestampDate(factor.lastUsedAt)} only="date" />
            </>
          ) : null}
        </span>
        {factor.primary ? <StatusDot tone="good">{_("security.factors.primary")}</StatusDot> : null}
        {active ? null : <StatusDot tone="warning">{_("security.factors.pending")}</StatusDot>}
      </span>
      <span className={styles.state}>
        <Menu
          label={_("security.manage", { name: factor.name })}
          trigger={
            <IconButton label={_("security.manage", { name: factor.name })}>
              <IconMore />
            </IconButton>
          }
        >
          {active && !factor.primary ? (
            <MenuItem label={_("security.factors.makePrimary")} onAction={() => first.mutate(ids)} />
          ) : null}
          {active ? <MenuItem label={_("security.rename")} onAction={() => setOpen("rename")} /> : null}
          <MenuItem label={_("security.remove")} danger onAction={() => setOpen("remove")} />
        </Menu>
      </span>
      {error === undefined ? null : (
        <div className={page.across}>
          <Refused error={error} />
        </div>
      )}
      {open === "rename" ? (
        <RenameDialog
          name={factor.name}
          onClose={() => setOpen(undefined)}
          onSave={(name) => rename.mutateAsync({ ...ids, name })}
        />
      ) : null}
      {open === "remove" ? (
        <RemoveDialog
          title={_("security.remove.title", { name: factor.name })}
          onClose={() => setOpen(undefined)}
          onRemove={async () => {
            await remove.mutateAsync(ids);
            toast({ title: _("security.removed") });
          }}
        >
          {_("security.remove.detail")}
        </RemoveDialog>
      ) : null}
    </div>
  );
}
