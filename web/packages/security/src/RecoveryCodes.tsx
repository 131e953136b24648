// Recovery codes replace a lost factor, each once. They are shown once, when they are made.
import { callUnaryMethod } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { FactorService } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { isGivenUp } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { IconCheck, IconCopy, IconExport } from "@pavise/ui/icons.tsx";
import { linkLook } from "@pavise/ui/Native.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { DateTime } from "@pavise/ui/Value.tsx";
import { useQuery as useTanstackQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { isActive, useFactors, useOwnId, usePasskeys, useRecoveryCodes, useRefresh } from "./factors.ts";
import page from "@pavise/ui/Part.module.css";
import styles from "./security.module.css";

/** The page warns when fewer codes than this are left. */
const FEW = 3;

/** The number of codes left, and the button for new ones. */
export function RecoveryCodes() {
  const { _ } = useLingui();
  const codes = useRecoveryCodes();
  const factors = useFactors();
  const passkeys = usePasskeys();
  const [making, setMaking] = useState(false);
  const secured = (factors.data?.factors.some(isActive) ?? false) || (passkeys.data?.passkeys.length ?? 0) > 0;
  return (
    <Part
      id="recovery"
      title={_("security.recovery")}
      end={
        secured ? (
          <Button kind="quiet" onPress={() => setMaking(true)}>
            {_(codes.data?.madeAt ? "security.recovery.renew" : "security.recovery.make")}
          </Button>
        ) : null
      }
    >
      <p className={page.soft}>{_("security.recovery.lead")}</p>
      <Loaded query={codes} lines={1}>
        {({ left, madeAt }) =>
          madeAt === undefined ? (
            <p>{_(secured ? "security.recovery.none" : "security.recovery.later")}</p>
          ) : (
            <p className={left < FEW ? styles.few : undefined}>
              {_("security.recovery.left", { count: left })} · {_("security.recovery.made")}{" "}
              <DateTime at={timestampDate(madeAt)} only="date" />
            </p>
          )
        }
      </Loaded>
      {making ? <NewCodes onClose={() => setMaking(false)} replaces={codes.data?.madeAt !== undefined} /> : null}
    </Part>
  );
}

/** Makes codes and shows them; it asks first when they replace others. */
export function NewCodes({ onClose, replaces = false }: { onClose: () => void; replaces?: boolean }) {
  const { _ } = useLingui();
  const [agreed, setAgreed] = useState(!replaces);
  return (
    <Dialog
      title={_(agreed ? "security.recovery" : "security.recovery.renew.title")}
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      stays
      actions={
        agreed ? undefined : (
          <>
            <Button onPress={onClose}>{_("security.recovery.renew.keep")}</Button>
            <Button kind="primary" onPress={() => setAgreed(true)}>
              {_("security.recovery.renew")}
            </Button>
          </>
        )
      }
    >
      {agreed ? <MadeCodes onClose={onClose} /> : <p>{_("security.recovery.renew.detail")}</p>}
    </Dialog>
  );
}

function MadeCodes({ onClose }: { onClose: () => void }) {
  const identityId = useOwnId();
  const { transport } = useKeeper();
  const refresh = useRefresh();
  // Made once per mount, and stored nowhere.
  const made = useTanstackQuery({
    queryKey: ["recovery codes"],
    queryFn: async () => {
      try {
        const { codes } = await callUnaryMethod(transport, FactorService.method.createRecoveryCodes, { identityId });
        void refresh();
        return codes;
      } catch (error) {
        if (!isGivenUp(error)) throw error;
        onClose();
        return [];
      }
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (made.error) return <Refused error={made.error} onRetry={() => void made.refetch()} retrying={made.isFetching} />;
  return made.data === undefined ? <SkeletonText lines={5} /> : <Codes codes={made.data} onKept={onClose} />;
}

function Codes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { _ } = useLingui();
  const [copied, setCopied] = useState(false);
  const text = `${_("security.recovery.file")}\n\n${codes.join("\n")}\n`;
  async function copy() {
    await navigator.clipboard.writeText(codes.join("\n"));
    setCopied(true);
  }
  return (
    <div className={page.form}>
      <Note tone="warning" title={_("security.recovery.once")}>
        {_("security.recovery.keep")}
      </Note>
      <ul className={styles.codes} aria-label={_("security.recovery")}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={page.actions}>
        <Button onPress={() => void copy()}>
          {copied ? <IconCheck /> : <IconCopy />}
          {_(copied ? "ui.copied" : "security.recovery.copy")}
        </Button>
        <a
          className={linkLook("secondary")}
          download="pavise-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          <IconExport />
          {_("security.recovery.download")}
        </a>
      </div>
      <div className={page.actions}>
        <Button kind="primary" onPress={onKept}>
          {_("security.recovery.kept")}
        </Button>
      </div>
    </div>
  );
}
