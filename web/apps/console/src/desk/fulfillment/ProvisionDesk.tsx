/** One provisioning: its progress, the obstacle, and the remedies. */
import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { useWords } from "@pavise/i18n/words.ts";
import {
  ProvisionSchema,
  ProvisionStatus,
  ProvisionStatusSchema,
  ProvisionStepSchema,
  ReinstatementStatusSchema,
  type Provision,
  type Reinstatement,
} from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import { ProvisionService } from "@pavise/schema/pavise/fulfillment/v1/provision_service_pb";
import { SubscriptionSchema } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import { EntitlementSchema } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { Button, type ButtonKind } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextArea } from "@pavise/ui/Field.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useOnline } from "@pavise/ui/Strip.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DateTime, Facts, Id } from "@pavise/ui/Value.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { useRef, useState } from "react";
import { Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import { recordPath } from "../../contract/screens.ts";
import { searchText } from "../../frame/address.ts";
import {
  Asked,
  DeskHead,
  Journals,
  moment,
  NextSteps,
  RecordLink,
  Section,
  Table,
  useAmount,
  useAnswer,
  useEntity,
  useSpelt,
} from "../parts.tsx";
import { ProfileReview } from "./ProfileReview.tsx";
import { needOf, placeOf, WAY, WHY, type Need } from "./provisions.ts";
import page from "../../console/console.module.css";
import styles from "../desk.module.css";

const { method } = ProvisionService;
/** The tone of each kind of need. */
const TONES: Readonly<Record<Need, "danger" | "warning" | "info" | "good">> = {
  failed: "danger",
  suspended: "danger",
  decide: "warning",
  anew: "warning",
  check: "warning",
  review: "warning",
  planChange: "warning",
  waits: "warning",
  runs: "info",
  over: "good",
};
const isUnderWay = (provision: Provision) => needOf(provision) === "runs";

/** The desk's page of a provisioning. */
export function ProvisionDesk({ id }: { id: string }) {
  const query = useAnswer(method.getProvision, { provisionId: id }, { underWay: isUnderWay });
  return (
    <div className={styles.desk}>
      <Asked query={query} lines={8} whole>
        {(provision) => <Whole provision={provision} />}
      </Asked>
    </div>
  );
}

function Whole({ provision }: { provision: Provision }) {
  const { _ } = useLingui();
  const entity = useEntity(ProvisionSchema);
  return (
    <>
      <DeskHead
        desk={_("Provisioning repair")}
        path="/desk/provisioning"
        title={provision.offerName || _("Provision")}
        actions={
          entity === undefined ? undefined : (
            <Link href={`${recordPath(entity, provision.id)}${searchText({ owner: provision.ownerId })}`}>
              {_("The whole record")}
            </Link>
          )
        }
      >
        <Status desc={ProvisionStatusSchema} value={provision.status} />
        <Id>{provision.id}</Id>
      </DeskHead>
      <div className={styles.columns}>
        <div className={styles.main}>
          <Standing provision={provision} />
          <Remedies key={`${provision.status} ${provision.version}`} provision={provision} />
          {provision.reinstatement === undefined ? null : (
            <Earlier provision={provision} reinstatement={provision.reinstatement} />
          )}
          <WhatIsSetUp provision={provision} />
          <AuthorizedUsers provision={provision} />
          <NextSteps
            desc={ProvisionSchema}
            message={provision}
            calls={["UpdateProvisionFields", "AddIdentityId", "AddClassicMap", "AddSubscription"]}
          />
        </div>
        <div className={styles.side}>
          <Way provision={provision} />
          <Journals records={[{ desc: ProvisionSchema, id: provision.id }]} underWay={isUnderWay(provision)} />
        </div>
      </div>
    </>
  );
}

/** The status, and the failure if there was one. */
function Standing({ provision }: { provision: Provision }) {
  const { _ } = useLingui();
  const w = useWords();
  const spelt = useSpelt();
  const { failure } = provision;
  const need = needOf(provision);
  return (
    <Note tone={TONES[need]} title={w(WHY[need])}>
      {failure === undefined || need === "over" ? null : (
        <Facts
          facts={[
            { name: _("What happened"), value: failure.cause },
            { name: _("Reason"), value: failure.reason === "" ? "–" : <code>{failure.reason}</code> },
            { name: _("Step"), value: spelt(ProvisionStepSchema, failure.step) },
            { name: _("Goes on from"), value: spelt(ProvisionStatusSchema, failure.status) },
            { name: _("When"), value: <DateTime at={moment(failure.failedAt)} /> },
            { name: _("Tries"), value: String(provision.attempts) },
          ]}
        />
      )}
    </Note>
  );
}

/** The buyer's earlier membership, and the decision about it. */
function Earlier({ provision, reinstatement }: { provision: Provision; reinstatement: Reinstatement }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  return (
    <Section title={_("The earlier membership")}>
      <Facts
        facts={[
          { name: _("Decision"), value: spelt(ReinstatementStatusSchema, reinstatement.status) },
          { name: _("Found"), value: <DateTime at={moment(reinstatement.foundAt)} /> },
          { name: _("Can come back"), value: reinstatement.holds ? _("Yes") : _("No") },
          {
            name: _("Entitlement"),
            value: <RecordLink desc={EntitlementSchema} id={reinstatement.entitlementId} owner={provision.ownerId} />,
          },
          {
            name: _("Subscription"),
            value: <RecordLink desc={SubscriptionSchema} id={reinstatement.subscriptionId} owner={provision.ownerId} />,
          },
        ]}
      />
    </Section>
  );
}

/** The bought items and the membership that they became. */
function WhatIsSetUp({ provision }: { provision: Provision }) {
  const { _ } = useLingui();
  const amount = useAmount();
  return (
    <Section title={_("What is set up")}>
      <Table
        label={_("What is set up")}
        rows={provision.lines}
        rowId={(line) => line.id}
        columns={[
          { header: _("Product"), cell: (line) => line.name || line.productId },
          { header: _("Tier"), cell: (line) => line.tierId },
          { header: _("Each later period"), end: true, cell: (line) => amount(line.renewalPrice) },
          {
            header: _("Entitlement"),
            cell: (line) => <RecordLink desc={EntitlementSchema} id={line.entitlementId} owner={provision.ownerId} />,
          },
        ]}
      />
      <Facts
        facts={[
          {
            name: _("Order"),
            value:
              provision.orderId === "" ? (
                "–"
              ) : (
                <Link href={`/desk/orders/${provision.orderId}`}>{provision.orderId}</Link>
              ),
          },
          { name: _("Buyer"), value: <Link href={`/desk/identities/${provision.ownerId}`}>{provision.ownerId}</Link> },
          {
            name: _("Subscription"),
            value: <RecordLink desc={SubscriptionSchema} id={provision.subscriptionId} owner={provision.ownerId} />,
          },
        ]}
      />
    </Section>
  );
}

/** The people covered besides the buyer. */
function AuthorizedUsers({ provision }: { provision: Provision }) {
  const { _ } = useLingui();
  if (provision.authorizedUsers.length === 0) return null;
  return (
    <Section title={_("Authorized users")}>
      <Table
        label={_("Authorized users")}
        rows={provision.authorizedUsers}
        rowId={(user) => user.id}
        columns={[
          { header: _("Name"), cell: (user) => `${user.firstName} ${user.lastName}` },
          { header: _("E-mail address"), cell: (user) => user.email },
          {
            header: _("Identity"),
            cell: (user) =>
              user.identityId === "" ? (
                "–"
              ) : (
                <Link href={`/desk/identities/${user.identityId}`}>{user.identityId}</Link>
              ),
          },
        ]}
      />
    </Section>
  );
}

/** The progress of the provision. */
function Way({ provision }: { provision: Provision }) {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const place = placeOf(provision);
  const failed = provision.status === ProvisionStatus.FAILED;
  return (
    <Section title={_("How far it is")}>
      <ol className={styles.path}>
        {WAY.map((status, index) => (
          <li
            key={status}
            {...(index < place || provision.status === ProvisionStatus.COMPLETED
              ? { "data-done": "" }
              : index === place
                ? failed
                  ? { "data-failed": "" }
                  : { "data-current": "", "aria-current": "step" as const }
                : {})}
          >
            {spelt(ProvisionStatusSchema, status)}
            {index === place && failed ? ` · ${_("failed here")}` : ""}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** A remedy for a provisioning. */
interface Remedy {
  readonly label: string;
  readonly kind: ButtonKind;
  /** The status or page that the remedy leads to. */
  readonly leads: string;
  readonly run: (key: string, cause: string) => Promise<unknown>;
  /** Whether the remedy asks for a reason. */
  readonly asks?: boolean;
  readonly possible: boolean;
}

/** The remedies for a provision in its status, and where each leads. */
function Remedies({ provision }: { provision: Provision }) {
  const { _ } = useLingui();
  const online = useOnline();
  const reread = useReread();
  const remedies = useRemedies(provision);
  const [chosen, setChosen] = useState<Remedy>();
  const [cause, setCause] = useState("");
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState(false);
  const key = useRef(crypto.randomUUID());
  async function run() {
    if (chosen === undefined) return;
    setPending(true);
    setError(undefined);
    try {
      await chosen.run(key.current, cause);
      toast({ title: _("Done: {what}", { what: chosen.label }) });
      setChosen(undefined);
      await reread();
    } catch (thrown) {
      setError(thrown);
      key.current = crypto.randomUUID();
    } finally {
      setPending(false);
    }
  }
  if (needOf(provision) === "review") return <ProfileReview provision={provision} onDone={reread} />;
  const possible = remedies.filter((remedy) => remedy.possible);
  if (possible.length === 0) return null;
  return (
    <Section title={_("What to do about it")}>
      <ul className={styles.plain}>
        {possible.map((remedy) => (
          <li key={remedy.label} className={styles.steps}>
            <Button
              kind={remedy.kind}
              onPress={() => {
                setError(undefined);
                setChosen(remedy);
              }}
            >
              {remedy.label}
            </Button>
            <span className={styles.why}>{remedy.leads}</span>
          </li>
        ))}
      </ul>
      {chosen === undefined ? null : (
        <Dialog
          open
          danger={chosen.kind === "danger"}
          title={chosen.label}
          onOpenChange={() => setChosen(undefined)}
          actions={(close) => (
            <>
              <Button onPress={close}>{_("Cancel")}</Button>
              <Button
                kind={chosen.kind === "danger" ? "danger" : "primary"}
                isPending={pending}
                isDisabled={!online}
                onPress={() => void run()}
              >
                {chosen.label}
              </Button>
            </>
          )}
        >
          <div className={page.stack}>
            {error === undefined ? null : <ProblemPanel error={error} />}
            <p>{chosen.leads}</p>
            <FieldErrors error={error}>
              {chosen.asks === true ? (
                <TextArea
                  label={_("Why")}
                  name="cause"
                  maxLength={LENGTHS["fulfillment.v1.SuspendRequest.cause"]}
                  help={_("For people; without personal data.")}
                  value={cause}
                  onChange={setCause}
                  optional
                />
              ) : null}
            </FieldErrors>
          </div>
        </Dialog>
      )}
    </Section>
  );
}

function useRemedies(provision: Provision): Remedy[] {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const { ask, may, operationOf } = useConsole();
  const { id, version, failure } = provision;
  const need = needOf(provision);
  const named = (status: ProvisionStatus) => spelt(ProvisionStatusSchema, status);
  const call =
    <I extends DescMessage, O extends DescMessage>(
      one: DescMethodUnary<I, O>,
      request: (cause: string) => MessageInitShape<I>,
    ): Remedy["run"] =>
    (key, cause) =>
      ask(one, request(cause), { version, key });
  const moves = (status: ProvisionStatus, more: { matchHolds?: boolean } = {}) =>
    call(method.updateStatus, () => ({ provisionId: id, status, ...more }));
  const process = (label: string, leads: string): Remedy => ({
    label,
    kind: "primary",
    leads,
    possible: may(operationOf(method.processProvisions)),
    // Several provisions can be queued at once, so no version is sent.
    run: (key) => ask(method.processProvisions, { provisionIds: [id] }, { key }),
  });
  const mayMove = may(operationOf(method.updateStatus));
  const giveUp: Remedy = {
    label: _("Give it up"),
    kind: "danger",
    leads: _("It ends as {status}; its journal stays. What was set up already stays too.", {
      status: named(ProvisionStatus.DELETED),
    }),
    possible: mayMove,
    run: moves(ProvisionStatus.DELETED),
  };
  switch (need) {
    case "failed":
      return [
        process(
          _("Try again"),
          _("It is queued and goes on from {status}.", { status: named(failure?.status || ProvisionStatus.STARTED) }),
        ),
        giveUp,
      ];
    case "suspended":
      return [giveUp];
    case "waits":
      return [process(_("Set it up now"), _("It is queued and taken up at once.")), giveUp];
    case "check":
      return [
        {
          label: _("It can come back"),
          kind: "primary",
          leads: _("It is then decided whether it does."),
          possible: mayMove,
          run: moves(ProvisionStatus.REINSTATE_CHECKED, { matchHolds: true }),
        },
        {
          label: _("It cannot come back"),
          kind: "secondary",
          leads: _("Then a new membership is made, or none."),
          possible: mayMove,
          run: moves(ProvisionStatus.REINSTATE_CHECKED, { matchHolds: false }),
        },
        giveUp,
      ];
    case "decide":
    case "anew":
      return [
        {
          label: _("Reinstate"),
          kind: "primary",
          leads: _("The earlier membership comes back; it goes on as {status}.", {
            status: named(ProvisionStatus.IN_PROGRESS),
          }),
          possible: need === "decide" && may(operationOf(method.reinstate)),
          run: call(method.reinstate, () => ({ provisionId: id })),
        },
        {
          label: _("Submit as new"),
          kind: need === "decide" ? "secondary" : "primary",
          leads: _("A new membership is made; it goes on as {status}.", { status: named(ProvisionStatus.IN_PROGRESS) }),
          possible: may(operationOf(method.submitAsNew)),
          run: call(method.submitAsNew, () => ({ provisionId: id })),
        },
        {
          label: _("Suspend"),
          kind: "danger",
          leads: _("Neither: it ends as {status} and is not tried again.", { status: named(ProvisionStatus.FAILED) }),
          possible: may(operationOf(method.suspend)),
          asks: true,
          run: call(method.suspend, (cause) => ({ provisionId: id, cause })),
        },
      ];
    case "planChange":
      return [
        {
          label: _("Make the change now"),
          kind: "primary",
          leads: _("It goes on as {status}.", { status: named(ProvisionStatus.IN_PROGRESS) }),
          possible: may(operationOf(method.processPlanChanges)),
          run: (key) => ask(method.processPlanChanges, { provisionIds: [id] }, { key }),
        },
        giveUp,
      ];
    default:
      return [];
  }
}
