// The sessions of a user, and ending them.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { SessionService } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import type { Session } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { useKeeper, useSession } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { DateTime, StatusDot } from "@pavise/ui/Value.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { deviceName } from "./device.ts";
import page from "@pavise/ui/Part.module.css";

/** The open sessions. */
export function Sessions() {
  const { _ } = useLingui();
  const own = useSession();
  const identityId = own?.identityId ?? "";
  const keeper = useKeeper();
  const client = useQueryClient();
  const sessions = useQuery(SessionService.method.listSessions, { identityId }, { enabled: identityId !== "" });
  const onSuccess = () =>
    client.invalidateQueries({
      queryKey: createConnectQueryKey({ schema: SessionService.method.listSessions, cardinality: "finite" }),
    });
  const revoke = useMutation(SessionService.method.revokeSession, { onSuccess });
  const revokeOthers = useMutation(SessionService.method.revokeAllSessions, { onSuccess });
  return (
    <Part id="sessions" title={_("security.sessions")}>
      <Loaded query={sessions} lines={3}>
        {({ sessions: open }) => (
          <>
            <div className={page.rows}>
              {open.map((session) => (
                <SessionLine
                  key={session.id}
                  session={session}
                  current={session.id === own?.sessionId}
                  pending={revoke.isPending && revoke.variables?.sessionId === session.id}
                  onEnd={() => revoke.mutate({ identityId, sessionId: session.id })}
                />
              ))}
            </div>
            {(revoke.error ?? revokeOthers.error) ? <Refused error={revoke.error ?? revokeOthers.error} /> : null}
            <div className={page.actions}>
              {open.length > 1 ? (
                <Button
                  isPending={revokeOthers.isPending}
                  onPress={() => revokeOthers.mutate({ identityId, exceptCurrent: true })}
                >
                  {_("security.sessions.others")}
                </Button>
              ) : null}
              <Button kind="quiet" onPress={() => void keeper.signOut()}>
                {_("security.signOut")}
              </Button>
            </div>
          </>
        )}
      </Loaded>
    </Part>
  );
}

type SessionLineProps = { session: Session; current: boolean; pending: boolean; onEnd: () => void };

function SessionLine({ session, current, pending, onEnd }: SessionLineProps) {
  const { _ } = useLingui();
  const name = deviceName(session.userAgent) || _("security.sessions.unknown");
  const used = session.lastUsedAt ?? session.createdAt;
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{name}</span>
        <span className={page.small}>
          {_("security.sessions.used")} <DateTime at={used ? timestampDate(used) : null} />
        </span>
      </span>
      {current ? (
        <StatusDot tone="good">{_("security.sessions.this")}</StatusDot>
      ) : (
        <Button
          kind="quiet"
          onPress={onEnd}
          isPending={pending}
          aria-label={_("security.sessions.end.label", { device: name })}
        >
          {_("security.sessions.end")}
        </Button>
      )}
    </div>
  );
}
