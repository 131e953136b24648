// The page that an invitation links to: its code, an account, and the acceptance.
import { callUnaryMethod, useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { RelationType } from "@pavise/schema/pavise/common/v1/plan_pb";
import { ResourceType } from "@pavise/schema/pavise/identity/v1/identity_pb";
import type { InvitationSummary } from "@pavise/schema/pavise/identity/v1/invitation_service_pb";
import { InvitationService } from "@pavise/schema/pavise/identity/v1/invitation_service_pb";
import { useKeeper, useSessionState } from "@pavise/session/Session.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useState, type FormEvent } from "react";
import { Site } from "../app/Frame.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { DateField, type Day } from "@pavise/ui/DateField.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { useTyped } from "@pavise/ui/typed.ts";
import { AccountStep } from "../order/AccountStep.tsx";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";

/** The invitation page. */
export function InvitationPage() {
  const [code, setCode] = useState("");
  const [summary, setSummary] = useState<InvitationSummary>();
  return (
    <Site>
      <div className={`${frame.page} ${frame.narrow}`}>
        {summary === undefined ? (
          <CodeStep code={code} onCode={setCode} onKnown={setSummary} />
        ) : (
          <AcceptStep code={code.trim()} summary={summary} />
        )}
      </div>
    </Site>
  );
}

function CodeStep({
  code,
  onCode,
  onKnown,
}: {
  code: string;
  onCode: (code: string) => void;
  onKnown: (summary: InvitationSummary) => void;
}) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const { pending, error, run } = useAttempt();
  const typed = useTyped();
  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      // A visitor who is signed in already skips the account step.
      if (keeper.state().status === "unknown") await keeper.refresh();
      return callUnaryMethod(keeper.transport, InvitationService.method.getInvitationByVerificationCode, {
        code: code.trim(),
      });
    }, onKnown);
  }
  return (
    <section className={page.part}>
      <div className={page.intro}>
        <PageTitle>{_("invitation.title")}</PageTitle>
        <p className={page.soft}>{_("invitation.lead")}</p>
      </div>
      {error === undefined ? null : <Refused error={error} />}
      <form className={page.form} onSubmit={submit} noValidate {...typed.on}>
        <FieldErrors error={error}>
          <TextField
            label={_("invitation.code")}
            name="code"
            maxLength={LENGTHS["identity.v1.AcceptInvitationRequest.code"]}
            value={code}
            onChange={onCode}
            autoComplete="off"
            mono
          />
        </FieldErrors>
        <div className={page.actions}>
          <Button kind="primary" type="submit" isPending={pending} isDisabled={code.trim() === ""}>
            {_("shop.continue")}
          </Button>
        </div>
      </form>
    </section>
  );
}

function AcceptStep({ code, summary }: { code: string; summary: InvitationSummary }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { status } = useSessionState();
  const accept = useMutation(InvitationService.method.acceptInvitation);
  const [birthDate, setBirthDate] = useState<Day | null>(null);
  const fields = useTyped();
  const group = summary.resourceType === ResourceType.GROUP;
  if (accept.data) {
    return (
      <section className={page.part}>
        <div className={page.intro}>
          <PageTitle>{_("invitation.accepted")}</PageTitle>
          <p className={page.soft}>{_(group ? "invitation.accepted.group" : "invitation.accepted.detail")}</p>
        </div>
        <div className={page.actions}>
          <Link kind="primary" href="/home">
            {_("done.home")}
          </Link>
        </div>
      </section>
    );
  }
  const day = summary.expiresAt
    ? new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(timestampDate(summary.expiresAt))
    : "";
  return (
    <>
      <Note title={_("invitation.for", { name: summary.inviteeName })}>
        {summary.relationType === RelationType.UNSPECIFIED ? null : (
          <>{_("invitation.as", { relation: _(`family.kind.${RelationType[summary.relationType]}`) })} </>
        )}
        {_("invitation.until", { day })}
      </Note>
      {status === "signedIn" ? (
        <section className={page.part}>
          <PageTitle>{_("invitation.accept.title")}</PageTitle>
          <p className={page.soft}>{_(group ? "invitation.accept.group" : "invitation.accept.detail")}</p>
          {group || summary.relationType === RelationType.UNSPECIFIED ? null : (
            <div {...fields.on}>
              <FieldErrors error={accept.error}>
                <DateField
                  label={_("people.birthDate")}
                  help={_("invitation.birthDate.help")}
                  name="birth_date"
                  optional
                  value={birthDate}
                  onChange={setBirthDate}
                />
              </FieldErrors>
            </div>
          )}
          {accept.error ? <Refused error={accept.error} /> : null}
          <div className={page.actions}>
            <Button
              kind="primary"
              isPending={accept.isPending}
              onPress={() =>
                accept.mutate({ invitationId: summary.invitationId, code, birthDate: birthDate ?? undefined })
              }
            >
              {_("invitation.accept")}
            </Button>
          </div>
        </section>
      ) : (
        <AccountStep />
      )}
    </>
  );
}
