// Consents: what the member agreed to, with when, where and to which words; and which messages they want.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import type { Consent, Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { PhoneType } from "@pavise/schema/pavise/common/v1/person_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Switch } from "@pavise/ui/Choices.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { toast, Toasts } from "@pavise/ui/toasts.tsx";
import { DateTime, StatusDot } from "@pavise/ui/Value.tsx";
import { SOURCE, useProfile, useSave } from "../profile/profile.ts";
import { consentOf, CONSENTS, recordedBy, sayConsent, SOURCES, TERMS, type ConsentId } from "./consents.ts";
import { Preferences } from "./Preferences.tsx";
import page from "@pavise/ui/Part.module.css";

/** The page. */
export function ConsentsPage() {
  const { _ } = useLingui();
  const profile = useProfile();
  return (
    <>
      <div className={page.intro}>
        <PageTitle>{_("consents.title")}</PageTitle>
        <p className={page.soft}>{_("consents.lead")}</p>
      </div>
      <Loaded query={profile} lines={8}>
        {(own) => (
          <>
            <Part id="agreed" title={_("consents.agreed")}>
              <div className={page.rows}>
                {CONSENTS.map((id) => (
                  <ConsentLine key={id} id={id} profile={own} />
                ))}
              </div>
            </Part>
            <Terms profile={own} />
            <Preferences profile={own} />
          </>
        )}
      </Loaded>
      <Toasts />
    </>
  );
}

/** A consent: its words, its switch, and how the last answer is known. */
function ConsentLine({ id, profile }: { id: ConsentId; profile: Profile }) {
  const { _ } = useLingui();
  const save = useSave();
  const { pending, error, run } = useAttempt();
  const said = consentOf(profile, id);
  const given = said?.given === true;
  // Texts need a number that gets them. Taking the consent back needs nothing.
  const unreached = id === "sms" && !given && !profile.phoneNumbers.some(({ type }) => type === PhoneType.CELL);
  const answer = (wanted: boolean) =>
    void run(
      () => sayConsent(save, id, profile.id, wanted),
      () => toast({ title: _(wanted ? "consents.given" : "consents.taken") }),
    );
  return (
    <div className={`${page.line} ${page.stack}`}>
      <div className={page.across}>
        <Switch
          isSelected={given}
          isReadOnly={pending}
          isDisabled={unreached}
          onChange={answer}
          detail={_(`consents.words.${id}`)}
        >
          {_(`consents.name.${id}`)}
        </Switch>
      </div>
      <div className={page.across}>
        <Record said={said} identityId={profile.id} />
      </div>
      {unreached || (error !== undefined && problemOf(error).reason === "CELL_NUMBER_MISSING") ? (
        <p className={`${page.small} ${page.across}`}>
          {_("consents.sms.number")} <Link href="/profile">{_("consents.sms.profile")}</Link>
        </p>
      ) : error === undefined ? null : (
        <div className={page.across}>
          <Refused error={error} />
        </div>
      )}
    </div>
  );
}

/** The last answer: when, by whom, where, to which words. */
function Record({ said, identityId }: { said: Consent | undefined; identityId: string }) {
  const { _ } = useLingui();
  if (said === undefined) return <StatusDot tone="neutral">{_("consents.unsaid")}</StatusDot>;
  const { given, at, source, wordingVersion } = said;
  const by = recordedBy(said, identityId);
  return (
    <span className={page.lineWords}>
      <StatusDot tone={given ? "good" : "over"}>{_(given ? "consents.yes" : "consents.no")}</StatusDot>
      <span className={page.small}>
        <DateTime at={at === undefined ? null : timestampDate(at)} />
        {" · "}
        {_(`consents.by.${by}`)}
        {source === "" ? "" : ` · ${SOURCES.has(source) ? _(`consents.source.${source}`) : source}`}
        {wordingVersion === "" ? "" : ` · ${_("consents.wording", { version: wordingVersion })}`}
      </span>
    </span>
  );
}

/** The terms of service. They are accepted, and end with the account only. */
function Terms({ profile }: { profile: Profile }) {
  const { _ } = useLingui();
  const save = useSave();
  const { pending, error, run } = useAttempt();
  const said = profile.termsOfService;
  const current = said?.given === true && said.wordingVersion === TERMS;
  return (
    <Part id="terms" title={_("consents.terms")}>
      <p className={page.soft}>{_(current ? "consents.terms.current" : "consents.terms.lead")}</p>
      <Record said={said} identityId={profile.id} />
      {error === undefined ? null : <Refused error={error} />}
      {current ? null : (
        <div className={page.actions}>
          <Button
            isPending={pending}
            onPress={() =>
              void run(
                () =>
                  save(ProfileService.method.updateTermsOfService, {
                    identityId: profile.id,
                    given: true,
                    source: SOURCE,
                    wordingVersion: TERMS,
                  }),
                () => toast({ title: _("consents.terms.accepted") }),
              )
            }
          >
            {_("consents.terms.accept")}
          </Button>
        </div>
      )}
    </Part>
  );
}
