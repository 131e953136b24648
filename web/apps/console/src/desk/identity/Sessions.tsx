/** The sessions of an identity; staff can end one session or all of them. */
import { useLingui } from "@lingui/react";
import { SessionStatus, SessionStatusSchema, type Session } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { SessionService } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DateTime } from "@pavise/ui/Value.tsx";
import { useState } from "react";
import { Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import { Asked, moment, Section, Table, useAnswer } from "../parts.tsx";
import page from "../../console/console.module.css";

const { method } = SessionService;

/** The sessions of an identity. */
export function Sessions({ id }: { id: string }) {
  const { _ } = useLingui();
  const { may, operationOf } = useConsole();
  const query = useAnswer(method.listSessions, { identityId: id, pageSize: 100, includeEnded: false });
  const [ending, setEnding] = useState<Session | "all">();
  const mayEnd = may(operationOf(method.revokeSession));
  const active = (query.data?.sessions ?? []).filter(({ status }) => status === SessionStatus.ACTIVE);
  return (
    <Section
      title={_("Where it is signed in")}
      end={
        mayEnd && active.length > 0 ? (
          <Button kind="quiet" onPress={() => setEnding("all")}>
            {_("End all")}
          </Button>
        ) : null
      }
    >
      <Asked query={query}>
        {({ sessions }) => (
          <Table
            label={_("Where it is signed in")}
            none={_("Nowhere")}
            rows={sessions}
            rowId={(session) => session.id}
            columns={[
              { header: _("Browser or app"), cell: ({ userAgent }) => shortAgent(userAgent) },
              { header: _("Status"), cell: ({ status }) => <Status desc={SessionStatusSchema} value={status} /> },
              { header: _("Address"), cell: ({ address }) => address },
              { header: _("Proof"), cell: ({ method: proof }) => proof },
              { header: _("Last used"), cell: ({ lastUsedAt }) => <DateTime at={moment(lastUsedAt)} /> },
              {
                header: _("End"),
                cell: (session) =>
                  mayEnd && session.status === SessionStatus.ACTIVE ? (
                    <Button
                      kind="quiet"
                      aria-label={_("End the session of {agent}", { agent: shortAgent(session.userAgent) })}
                      onPress={() => setEnding(session)}
                    >
                      {_("End")}
                    </Button>
                  ) : null,
              },
            ]}
          />
        )}
      </Asked>
      {ending === undefined ? null : (
        <End id={id} session={ending} count={active.length} onClose={() => setEnding(undefined)} />
      )}
    </Section>
  );
}

/** The browser and system of a session, as far as its user agent names them. */
function shortAgent(agent: string): string {
  const browser = /(Edg|OPR|Firefox|HeadlessChrome|Chrome|Safari|curl|node)[/ ]?([\d.]+)?/.exec(agent);
  const system = /\(([^;)]+)/.exec(agent);
  return browser === null ? agent.slice(0, 40) || "–" : [browser[1], system?.[1]].filter(Boolean).join(" · ");
}

function End({
  id,
  session,
  count,
  onClose,
}: {
  id: string;
  session: Session | "all";
  count: number;
  onClose: () => void;
}) {
  const { _ } = useLingui();
  const { ask, caller } = useConsole();
  const reread = useReread();
  const { pending, error, run } = useAttempt();
  const all = session === "all";
  const end = () =>
    run(async () => {
      if (all) await ask(method.revokeAllSessions, { identityId: id, exceptCurrent: caller.identityId === id });
      else await ask(method.revokeSession, { identityId: id, sessionId: session.id }, { version: session.version });
      await reread();
      toast({ title: all ? _("All sessions are ended") : _("The session is ended") });
    }, onClose);
  return (
    <Dialog
      open
      danger
      title={all ? _("End all sessions?") : _("End the session?")}
      onOpenChange={onClose}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("Cancel")}</Button>
          <Button kind="danger" isPending={pending} onPress={() => void end()}>
            {all ? _("End all {count}", { count }) : _("End the session")}
          </Button>
        </>
      )}
    >
      <div className={page.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        <p>{_("Whoever uses it is signed out within a second or so, and has to sign in again.")}</p>
        {all && caller.identityId === id ? <p>{_("The one that you use now stays.")}</p> : null}
      </div>
    </Dialog>
  );
}
