/** The desk of an identity: names, sign-in methods, sessions, permissions, invitations, impersonation. */
import { useLingui } from "@lingui/react";
import { FactorService } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { FactorSchema, FactorStatusSchema, FactorTypeSchema } from "@pavise/schema/pavise/identity/v1/factor_pb";
import {
  CredentialSchema,
  CredentialStatusSchema,
  IdentityRealm,
  IdentityRealmSchema,
  IdentitySchema,
  IdentityStatusSchema,
  ImpersonationStatusSchema,
  type Credential,
  type Identity,
  type ScopeGrant,
} from "@pavise/schema/pavise/identity/v1/identity_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { PasskeySchema } from "@pavise/schema/pavise/identity/v1/passkey_pb";
import { InvitationSchema, InvitationStatusSchema } from "@pavise/schema/pavise/identity/v1/invitation_pb";
import { InvitationService } from "@pavise/schema/pavise/identity/v1/invitation_service_pb";
import { SessionService } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import { ScopeKindSchema } from "@pavise/schema/pavise/contract/v1/options_pb";
import { enumWords } from "@pavise/descform/words.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { Link } from "@pavise/ui/Link.tsx";
import { DateTime, Facts, Id } from "@pavise/ui/Value.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { PersonName, Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { readHistory } from "../../console/journal.ts";
import { entityPath, formPath, journalOf, recordPath } from "../../contract/screens.ts";
import { searchText } from "../../frame/address.ts";
import { plural } from "../../frame/places.ts";
import { remember } from "../../frame/recent.ts";
import { Impersonate } from "./Impersonate.tsx";
import {
  Asked,
  DeskHead,
  Journals,
  moment,
  NextSteps,
  RecordLink,
  Section,
  Table,
  useAnswer,
  useEntity,
  useSpelt,
} from "../parts.tsx";
import { Sessions } from "./Sessions.tsx";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

/** The desk's page of an identity. */
export function IdentityDesk({ id }: { id: string }) {
  const query = useAnswer(IdentityService.method.getIdentity, { identityId: id });
  return (
    <div className={styles.desk}>
      <Asked query={query} lines={8} whole>
        {(identity) => <Whole identity={identity} />}
      </Asked>
    </div>
  );
}

/** The title of an identity. */
export function nameOf({ emails, usernames, id }: Identity): string {
  return (emails.find(({ primary }) => primary) ?? emails[0])?.address ?? usernames[0] ?? id;
}

function Whole({ identity }: { identity: Identity }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const entity = useEntity(IdentitySchema);
  useEffect(() => {
    if (entity !== undefined) remember(entity, identity.id);
  }, [entity, identity.id]);
  const { id } = identity;
  return (
    <>
      <DeskHead
        desk={_("Identity desk")}
        path="/desk/identities"
        title={nameOf(identity)}
        actions={
          <>
            {entity === undefined ? null : <Link href={recordPath(entity, id)}>{_("The whole record")}</Link>}
            <Impersonate identity={identity} />
          </>
        }
      >
        <Status desc={IdentityStatusSchema} value={identity.status} />
        <span>{[spelt(IdentityRealmSchema, identity.realm), identity.subType].filter(Boolean).join(" · ")}</span>
        <Id>{id}</Id>
      </DeskHead>
      <div className={styles.columns}>
        <div className={styles.main}>
          <NextSteps
            desc={IdentitySchema}
            message={identity}
            calls={[
              "AddEmail",
              "UpdateEmail",
              "RemoveEmail",
              "AddUsername",
              "RemoveUsername",
              "UpdateSettings",
              ...(identity.realm === IdentityRealm.USER ? [] : ["UpdatePermissions"]),
              ...(identity.realm === IdentityRealm.PARTNER ? ["UpdateGroups"] : []),
              "DeleteIdentity",
            ]}
          />
          <Names identity={identity} />
          <SignIn identity={identity} />
          <Sessions id={id} />
          <Powers identity={identity} />
          <Invitations id={id} />
          <Impersonations id={id} />
        </div>
        <div className={styles.side}>
          <Owned id={id} />
          <Journals records={[{ desc: IdentitySchema, id }]} />
        </div>
      </div>
    </>
  );
}

/** The names of an identity. */
function Names({ identity }: { identity: Identity }) {
  const { _ } = useLingui();
  return (
    <Section title={_("Names")}>
      <Table
        label={_("E-mail addresses")}
        none={_("No e-mail address")}
        rows={identity.emails}
        rowId={({ address }) => address}
        columns={[
          { header: _("E-mail address"), cell: ({ address }) => address },
          { header: _("Primary"), cell: ({ primary }) => (primary ? _("Yes") : "") },
          { header: _("Added"), cell: ({ addedAt }) => <DateTime at={moment(addedAt)} /> },
        ]}
      />
      <Facts
        facts={[
          { name: _("Usernames"), value: identity.usernames.join(", ") || "–" },
          { name: _("Classic numbers"), value: identity.classicIds.map(({ key }) => key).join(", ") || "–" },
          { name: _("Account in Okta"), value: identity.oktaId || "–" },
          { name: _("Came by"), value: identity.referrer || "–" },
        ]}
      />
    </Section>
  );
}

/** The password, and the further factors of the sign-in. */
function SignIn({ identity }: { identity: Identity }) {
  const { _ } = useLingui();
  return (
    <Section title={_("How it signs in")} end={<PasswordForms identity={identity} />}>
      <Password id={identity.id} />
      <Facts
        facts={[
          {
            name: _("A second factor is required"),
            value: identity.settings?.multifactorRequired === true ? _("Yes") : _("No"),
          },
        ]}
      />
      <Factors id={identity.id} />
    </Section>
  );
}

/** The permissions and groups of an identity. */
function Powers({ identity }: { identity: Identity }) {
  const { _ } = useLingui();
  return (
    <Section title={_("What it may do")}>
      <Table
        label={_("What it may do")}
        none={identity.realm === IdentityRealm.USER ? _("A member acts on their own account.") : _("No permissions")}
        rows={identity.permissions}
        rowId={({ application }) => application}
        columns={[
          { header: _("Application"), cell: ({ application }) => application },
          {
            header: _("Permissions"),
            cell: ({ permissions }) =>
              permissions.map((permission) => (
                <div key={permission}>
                  <code>{permission}</code>
                </div>
              )),
          },
        ]}
      />
      <Facts facts={[{ name: _("Groups"), value: identity.groupIds.join(", ") || "–" }]} />
      {identity.scopes.length > 0 ? <Roles scopes={identity.scopes} /> : null}
    </Section>
  );
}

/** The roles of an identity in groups, divisions, branches, firms and associates. */
function Roles({ scopes }: { scopes: readonly ScopeGrant[] }) {
  const { _ } = useLingui();
  const w = useWords();
  const spelt = useSpelt();
  return (
    <Table
      label={_("Roles")}
      none={_("No roles")}
      rows={scopes}
      rowId={({ kind, id }) => `${String(kind)} ${id}`}
      columns={[
        { header: _("Where"), cell: ({ kind }) => spelt(ScopeKindSchema, kind) },
        { header: _("ID"), cell: ({ id, withinId }) => <Id>{withinId === "" ? id : `${withinId} / ${id}`}</Id> },
        { header: _("Roles"), cell: ({ roles }) => roles.map((role) => w(enumWords(role))).join(", ") },
      ]}
    />
  );
}

/** The password's state, not the password: whether one is set, and since when, as the journal says. */
function Password({ id }: { id: string }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const { contract, call, may } = useConsole();
  const journal = journalOf(contract, "identities");
  const history = useQuery({
    queryKey: ["history", IdentitySchema.typeName, id],
    enabled: may(journal),
    queryFn: ({ signal }) =>
      journal === undefined ? Promise.resolve([]) : readHistory(call, journal, id, contract.registry, signal),
  });
  if (history.data === undefined) return null;
  const last = history.data.findLast(
    ({ typeName, message }) => typeName === CredentialSchema.typeName && message !== undefined,
  )?.message as Credential | undefined;
  return (
    <Facts
      facts={[
        { name: _("Password"), value: last === undefined ? _("None") : spelt(CredentialStatusSchema, last.status) },
        ...(last === undefined ? [] : [{ name: _("Set"), value: <DateTime at={moment(last.passwordSetAt)} /> }]),
      ]}
    />
  );
}

/** Nobody but the owner chooses a password: staff send a letter with a code, or invalidate the current password. */
function PasswordForms({ identity }: { identity: Identity }) {
  const { _ } = useLingui();
  const { may, operationOf } = useConsole();
  const { sendPasswordResetEmail, invalidatePasswords } = IdentityService.method;
  const name = identity.emails.length > 0 ? { email: nameOf(identity) } : { username: nameOf(identity) };
  const links = [
    { operation: operationOf(sendPasswordResetEmail), label: _("Send a letter to choose a password"), search: name },
    {
      operation: operationOf(invalidatePasswords),
      label: _("Invalidate the password"),
      search: { user_id: identity.id },
    },
  ];
  return (
    <span className={page.tools}>
      {links.map(({ operation, label, search }) =>
        may(operation) ? (
          <Link key={label} href={formPath(operation) + searchText(search)}>
            {label}
          </Link>
        ) : null,
      )}
    </span>
  );
}

function Factors({ id }: { id: string }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const factors = useAnswer(FactorService.method.listFactors, { identityId: id });
  const passkeys = useAnswer(FactorService.method.listPasskeys, { identityId: id });
  const codes = useAnswer(FactorService.method.getRecoveryCodes, { identityId: id });
  return (
    <>
      <Asked query={factors}>
        {(answer) => (
          <Table
            label={_("Factors")}
            none={_("No second factor")}
            rows={answer.factors}
            rowId={(factor) => factor.id}
            columns={[
              {
                header: _("Factor"),
                cell: (factor) => (
                  <RecordLink desc={FactorSchema} id={factor.id} owner={id}>
                    {factor.name || spelt(FactorTypeSchema, factor.type)}
                  </RecordLink>
                ),
              },
              { header: _("Kind"), cell: (factor) => spelt(FactorTypeSchema, factor.type) },
              { header: _("Status"), cell: (factor) => <Status desc={FactorStatusSchema} value={factor.status} /> },
              { header: _("Offered first"), cell: (factor) => (factor.primary ? _("Yes") : "") },
              { header: _("Last used"), cell: (factor) => <DateTime at={moment(factor.lastUsedAt)} /> },
            ]}
          />
        )}
      </Asked>
      <Asked query={passkeys} lines={1}>
        {(answer) => (
          <Facts
            facts={[
              {
                name: _("Passkeys"),
                value:
                  answer.passkeys.length === 0
                    ? "–"
                    : answer.passkeys.map(({ name, id: one }) => (
                        <div key={one}>
                          <RecordLink desc={PasskeySchema} id={one} owner={id}>
                            {name || one}
                          </RecordLink>
                        </div>
                      )),
              },
              { name: _("Recovery codes left"), value: codes.data === undefined ? "–" : String(codes.data.left) },
            ]}
          />
        )}
      </Asked>
    </>
  );
}

function Invitations({ id }: { id: string }) {
  const { _ } = useLingui();
  const query = useAnswer(InvitationService.method.listInvitations, { identityId: id, pageSize: 50 });
  return (
    <Section title={_("Invitations")}>
      <Asked query={query}>
        {({ invitations }) => (
          <Table
            label={_("Invitations")}
            none={_("Nobody was invited.")}
            rows={invitations}
            rowId={(invitation) => invitation.id}
            columns={[
              {
                header: _("Invited"),
                cell: (invitation) => (
                  <RecordLink desc={InvitationSchema} id={invitation.id} owner={id}>
                    {invitation.invitee?.email ?? invitation.id}
                  </RecordLink>
                ),
              },
              { header: _("Status"), cell: ({ status }) => <Status desc={InvitationStatusSchema} value={status} /> },
              { header: _("Sent"), end: true, cell: ({ sentCount }) => String(sentCount) },
              { header: _("Until"), cell: ({ expiresAt }) => <DateTime at={moment(expiresAt)} /> },
            ]}
          />
        )}
      </Asked>
    </Section>
  );
}

function Impersonations({ id }: { id: string }) {
  const { _ } = useLingui();
  const query = useAnswer(SessionService.method.listImpersonations, { identityId: id, pageSize: 50 });
  return (
    <Section title={_("Who acted in its name")}>
      <Asked query={query}>
        {({ impersonations }) => (
          <Table
            label={_("Who acted in its name")}
            none={_("Nobody")}
            rows={impersonations}
            rowId={(one) => one.id}
            columns={[
              { header: _("When"), cell: ({ createdAt }) => <DateTime at={moment(createdAt)} /> },
              { header: _("Status"), cell: ({ status }) => <Status desc={ImpersonationStatusSchema} value={status} /> },
              { header: _("Reason"), cell: ({ reason }) => reason },
              { header: _("Changes"), cell: ({ mayWrite }) => (mayWrite ? _("Yes") : _("No")) },
              {
                header: _("Who"),
                cell: ({ actorId }) => (
                  <Link href={`/desk/identities/${actorId}`}>
                    <PersonName id={actorId} />
                  </Link>
                ),
              },
            ]}
          />
        )}
      </Asked>
    </Section>
  );
}

/** The lists of what belongs to an identity. The last is of the reads of its data by others. */
const OWNED = [
  "ListOrders",
  "ListSubscriptions",
  "ListEntitlements",
  "ListProvisions",
  "ListPaymentMethods",
  "ListDataAccesses",
] as const;

/** Links to these lists, and to the desk of its invoices. */
function Owned({ id }: { id: string }) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, may } = useConsole();
  const links = OWNED.flatMap((name) => {
    const operation = contract.operations.find((one) => one.name === name && one.answers === "many");
    if (operation?.entity === undefined || !may(operation)) return [];
    const { entity } = operation;
    return [{ label: w(plural(entity.title)), href: entityPath(entity) + searchText({ by: name, identity_id: id }) }];
  });
  return (
    <Section title={_("What belongs to it")}>
      <div className={page.links}>
        <Link href={`/desk/refunds${searchText({ member: id })}`}>{_("Invoices and refunds")}</Link>
        {links.map(({ label, href }) => (
          <Link key={href} href={href}>
            {label}
          </Link>
        ))}
      </div>
    </Section>
  );
}
