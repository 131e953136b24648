/** The strip over every page during an impersonation: the identity, the end, and the way back. */
import { useLingui } from "@lingui/react";
import { SessionService } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Strip } from "@pavise/ui/Strip.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DateTime } from "@pavise/ui/Value.tsx";
import { problemOf } from "@pavise/rpc/problem.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { PersonName } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { useAddress } from "./address.ts";
import styles from "./frame.module.css";

/** Removes cached answers to another identity; the contract is the same for all. */
export function useForget(): () => void {
  const queries = useQueryClient();
  return useCallback(
    () => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "contract" }),
    [queries],
  );
}

/** The strip of an impersonation. */
export function Acting() {
  const { _ } = useLingui();
  const { ask, caller } = useConsole();
  const keeper = useKeeper();
  const forget = useForget();
  const { go } = useAddress();
  const [pending, setPending] = useState(false);
  const session = useQuery({
    queryKey: ["acting", caller.identityId],
    staleTime: Infinity,
    queryFn: ({ signal }) => ask(SessionService.method.getCurrentSession, {}, { signal }),
  });
  const until = session.data?.sessionExpiresAt ?? session.data?.expiresAt;
  const ends = until === undefined ? undefined : Number(until.seconds) * 1000;
  const leave = useCallback(async () => {
    await keeper.refresh();
    forget();
    go(`/desk/identities/${caller.identityId}`);
  }, [keeper, forget, go, caller.identityId]);
  useEffect(() => {
    if (ends === undefined) return undefined;
    // After it the browser uses its own session again, so the page must be read anew.
    const timer = setTimeout(() => void leave(), Math.max(0, ends - Date.now()) + 1_000);
    return () => clearTimeout(timer);
  }, [ends, leave]);
  async function end() {
    setPending(true);
    try {
      await ask(SessionService.method.endImpersonation, { identityId: caller.identityId });
      await leave();
    } catch (error) {
      toast({ title: problemOf(error).message, tone: "bad" });
      setPending(false);
    }
  }
  return (
    <Strip
      tone="danger"
      action={
        <span className={styles.acting}>
          <Link href={`${globalThis.location.origin}/app/`} target="_blank">
            {_("Open the member app")}
          </Link>
          <Button kind="secondary" isPending={pending} onPress={() => void end()}>
            {_("End it")}
          </Button>
        </span>
      }
    >
      {_("You act for somebody else:")} <PersonName id={caller.identityId} />
      {caller.actor?.mayWrite === true ? null : ` · ${_("reading only")}`}
      {ends === undefined ? null : (
        <>
          {` · ${_("until")} `}
          <DateTime at={new Date(ends)} only="time" />
        </>
      )}
    </Strip>
  );
}
