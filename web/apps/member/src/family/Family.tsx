// The family page: the people who may use each plan besides the holder; inviting, adding and removing them.
import { useMutation, useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { RelationType } from "@pavise/schema/pavise/common/v1/plan_pb";
import { EntitlementService } from "@pavise/schema/pavise/fulfillment/v1/entitlement_service_pb";
import type { Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import type { Invitation } from "@pavise/schema/pavise/identity/v1/invitation_pb";
import { InvitationService } from "@pavise/schema/pavise/identity/v1/invitation_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { RemoveDialog } from "@pavise/ui/RemoveDialog.tsx";
import { toast, Toasts } from "@pavise/ui/toasts.tsx";
import { StatusDot } from "@pavise/ui/Value.tsx";
import { useState } from "react";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { localized } from "../app/words.ts";
import { nameOf, useCoverages } from "../member/holdings.ts";
import { NoPlan } from "../member/NoPlan.tsx";
import { AddDialog, InviteDialog, NewcomerDialog } from "./dialogs.tsx";
import { useHouseholds, useRefresh, type Covered, type Household } from "./people.ts";
import page from "@pavise/ui/Part.module.css";

/** The family page. */
export function Family() {
  const { _ } = useLingui();
  const households = useHouseholds();
  return (
    <>
      <div className={page.intro}>
        <PageTitle>{_("family.title")}</PageTitle>
        <p className={page.soft}>{_("family.lead")}</p>
      </div>
      <Loaded query={households} lines={5}>
        {({ holder, households: all }) =>
          all.length === 0 ? (
            <Nobody />
          ) : (
            all.map((household) => <PlanPeople key={household.plan.id} household={household} holder={holder} />)
          )
        }
      </Loaded>
      <Toasts />
    </>
  );
}

/** Shown to a member without a plan; another member's plan may cover them. */
function Nobody() {
  const { _ } = useLingui();
  const coverages = useCoverages();
  return (
    <Loaded query={coverages} lines={3}>
      {({ coverages: through }) =>
        through.length > 0 ? (
          <EmptyState title={_("family.covered")} actions={<Link href="/home">{_("family.covered.home")}</Link>}>
            {_("family.covered.detail")}
          </EmptyState>
        ) : (
          <NoPlan>{_("family.none")}</NoPlan>
        )
      }
    </Loaded>
  );
}

function PlanPeople({ household, holder }: { household: Household; holder: string }) {
  const { plan, covered, invited, waiting } = household;
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const [asking, setAsking] = useState<"invite" | "newcomer">();
  // A product that is no longer sold cannot be looked up. The plan itself has its name.
  const product = useQuery(ProductService.method.getProduct, { productId: plan.productId }, { retry: false });
  const most = product.data?.tiers.find(({ id }) => id === plan.tierId)?.maxAuthorizedUsers;
  const free = most === undefined ? undefined : most - covered.length - invited.length - waiting.length;
  return (
    <Part
      id={`plan-${plan.id}`}
      title={product.data ? localized(product.data.friendlyNames, locale) : plan.name}
      end={
        free !== undefined && free > 0 ? (
          <span className={page.end}>
            <Button kind="quiet" onPress={() => setAsking("newcomer")}>
              {_(plan.business ? "family.newcomer.business" : "family.newcomer")}
            </Button>
            <Button kind="quiet" onPress={() => setAsking("invite")}>
              {_("family.invite")}
            </Button>
          </span>
        ) : null
      }
    >
      {most === undefined ? null : (
        <p className={page.soft}>
          {most === 0
            ? _("family.alone")
            : free !== undefined && free > 0
              ? _("family.free", { count: free })
              : _("family.full")}
        </p>
      )}
      <div className={page.rows}>
        <div className={page.line}>
          <span className={page.lineWords}>
            <span className={page.name}>{holder || _("family.you")}</span>
            <span className={page.small}>{_("family.kind.HOLDER")}</span>
          </span>
        </div>
        {covered.map((person) => (
          <PersonLine key={person.id} plan={plan} person={person} />
        ))}
        {waiting.map((invitation) => (
          <WaitingLine key={invitation.id} household={household} invitation={invitation} />
        ))}
        {invited.map((invitation) => (
          <InvitedLine key={invitation.id} invitation={invitation} />
        ))}
      </div>
      {asking === "invite" ? <InviteDialog household={household} onClose={() => setAsking(undefined)} /> : null}
      {asking === "newcomer" ? <NewcomerDialog household={household} onClose={() => setAsking(undefined)} /> : null}
    </Part>
  );
}

function PersonLine({ plan, person }: { plan: Entitlement; person: Covered }) {
  const { _ } = useLingui();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const name = person.name || _("family.unnamed");
  const remove = useMutation(EntitlementService.method.removeAuthorizedUsers, { onSuccess: refresh });
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{name}</span>
        <span className={page.small}>{_(`family.kind.${nameOf(RelationType, person.relation)}`)}</span>
      </span>
      <Button kind="quiet" onPress={() => setAsking(true)} aria-label={_("family.remove.label", { name })}>
        {_("family.remove")}
      </Button>
      {asking ? (
        <RemoveDialog
          title={_("family.remove.title", { name })}
          onClose={() => setAsking(false)}
          onRemove={async () => {
            await remove.mutateAsync({ identityId: plan.ownerId, entitlementId: plan.id, personIds: [person.id] });
            toast({ title: _("family.removed", { name }) });
          }}
        >
          {_("family.remove.detail", { name })}
        </RemoveDialog>
      ) : null}
    </div>
  );
}

/** The relation to the holder that the invitation names, if it names one. */
function Invited({ invitation: { invitee } }: { invitation: Invitation }) {
  const { _ } = useLingui();
  const relation = invitee?.relationType ?? RelationType.UNSPECIFIED;
  if (relation === RelationType.UNSPECIFIED) return null;
  return <span className={page.small}>{_(`family.kind.${nameOf(RelationType, relation)}`)}</span>;
}

/** An accepted invitation: the holder adds the person, and then the plan covers them. */
function WaitingLine({ household, invitation }: { household: Household; invitation: Invitation }) {
  const { _ } = useLingui();
  const [adding, setAdding] = useState(false);
  const name = invitation.invitee?.name ?? "";
  return (
    <div className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{name}</span>
        <Invited invitation={invitation} />
        <StatusDot tone="good">{_("family.accepted")}</StatusDot>
      </span>
      <Button onPress={() => setAdding(true)} aria-label={_("family.add.label", { name })}>
        {_("family.add")}
      </Button>
      {adding ? <AddDialog household={household} invitation={invitation} onClose={() => setAdding(false)} /> : null}
    </div>
  );
}

function InvitedLine({ invitation }: { invitation: Invitation }) {
  const { _ } = useLingui();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const name = invitation.invitee?.name ?? "";
  const again = useMutation(InvitationService.method.resendInvitation, {
    onSuccess: () => {
      toast({ title: _("family.invited") });
      return refresh();
    },
  });
  const withdraw = useMutation(InvitationService.method.deleteInvitation, { onSuccess: refresh });
  return (
    <div className={`${page.line} ${page.stack}`}>
      <span className={page.lineWords}>
        <span className={page.name}>{name}</span>
        <Invited invitation={invitation} />
        <span className={page.small}>{invitation.invitee?.email}</span>
        <StatusDot tone="busy">{_("family.pending")}</StatusDot>
      </span>
      <span className={page.end}>
        <Button
          kind="quiet"
          isPending={again.isPending}
          onPress={() => again.mutate({ invitationId: invitation.id })}
          aria-label={_("family.again.label", { name })}
        >
          {_("family.again")}
        </Button>
        <Button kind="quiet" onPress={() => setAsking(true)} aria-label={_("family.withdraw.label", { name })}>
          {_("family.withdraw")}
        </Button>
      </span>
      {again.error ? (
        <div className={page.across}>
          <Refused error={again.error} />
        </div>
      ) : null}
      {asking ? (
        <RemoveDialog
          title={_("family.withdraw.title", { name })}
          label={_("family.withdraw")}
          onClose={() => setAsking(false)}
          onRemove={() => withdraw.mutateAsync({ invitationId: invitation.id })}
        >
          {_("family.withdraw.detail")}
        </RemoveDialog>
      ) : null}
    </div>
  );
}
