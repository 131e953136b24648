/** Changes the plan of a subscription: first what it costs is shown, then it is made for exactly that amount. */
import { useLingui } from "@lingui/react";
import { draftOf } from "@pavise/descform/compile.ts";
import { asMessage, type DraftMessage } from "@pavise/descform/draft.ts";
import { MessageFields } from "@pavise/descform/FieldEditor.tsx";
import { FormContextProvider, useForm } from "@pavise/descform/form.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { ChangeTime, SubscriptionSchema, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import {
  SubscriptionService,
  type PreviewSubscriptionRequest,
  type SubscriptionPreview,
} from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { DayText, Facts } from "@pavise/ui/Value.tsx";
import { useMemo, useRef, useState } from "react";
import { useConsole } from "../../console/console.ts";
import { Faults } from "../../console/Faults.tsx";
import { usePickers } from "../../console/Picker.tsx";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useReread } from "../../console/reread.ts";
import type { Entity, Operation } from "../../contract/operation.ts";
import { Table, useAmount, useEntity } from "../parts.tsx";
import page from "../../console/console.module.css";

const { method } = SubscriptionService;
/** The fields that the desk knows, and those that change no plan. */
const KNOWN = new Set(["identity_id", "subscription_id", "group_id", "end", "unused_days"]);

type ChangeProps = { subscription: Subscription; onClose: () => void };

/** The dialog of a change. */
export function ChangePlan(props: ChangeProps) {
  const { operationOf } = useConsole();
  const entity = useEntity(SubscriptionSchema);
  const operation = operationOf(method.previewSubscription);
  if (entity === undefined || operation === undefined) return null;
  return <Change {...props} entity={entity} operation={operation} />;
}

function Change({ subscription, onClose, entity, operation }: ChangeProps & { entity: Entity; operation: Operation }) {
  const { _ } = useLingui();
  const { ask, contract } = useConsole();
  const reread = useReread();
  const { pending, error, run } = useAttempt();
  const { ownerId, id, version } = subscription;
  const initial = useMemo((): DraftMessage => {
    const { offerId, items, billingPeriod } = asMessage(draftOf(entity.desc, subscription, contract.registry));
    return { identityId: ownerId, subscriptionId: id, offerId, items, billingPeriod };
  }, [entity, subscription, contract, ownerId, id]);
  const form = useForm(operation.method.input, initial, contract.registry, { reference: usePickers() });
  const [shown, setShown] = useState<{ request: PreviewSubscriptionRequest; preview: SubscriptionPreview }>();
  // One key for each change that was shown: a second press makes it once.
  const key = useRef("");
  const show = () =>
    run(async () => {
      const request = form.check() as PreviewSubscriptionRequest | undefined;
      if (request === undefined) return;
      // Both calls are told the same time: without one, the change itself would be made another way than it was shown.
      if (request.time === ChangeTime.UNSPECIFIED) request.time = ChangeTime.NEXT_BILLING_DAY;
      try {
        const preview = await ask(method.previewSubscription, request);
        key.current = crypto.randomUUID();
        setShown({ request, preview });
      } catch (refused) {
        form.refuse(problemOf(refused).fields);
        throw refused;
      }
    });
  const change = () =>
    run(async () => {
      if (shown === undefined) return;
      const { offerId, items, billingPeriod, time, on } = shown.request;
      const { total } = shown.preview;
      await ask(
        method.updateSubscriptionOffer,
        {
          identityId: ownerId,
          subscriptionId: id,
          offerId,
          items,
          billingPeriod,
          time,
          ...(on === undefined ? {} : { on }),
          ...(total === undefined ? {} : { expectedTotal: total }),
        },
        { version, key: key.current },
      );
      await reread();
      toast({ title: _("The plan is changed") });
      onClose();
    });
  return (
    <Dialog
      open
      steps
      stays
      large
      title={_("Change the plan")}
      onOpenChange={onClose}
      actions={(close) =>
        shown === undefined ? (
          <>
            <Button onPress={close}>{_("Cancel")}</Button>
            <Button kind="primary" isPending={pending} onPress={() => void show()}>
              {_("Show what it costs")}
            </Button>
          </>
        ) : (
          <>
            <Button onPress={() => setShown(undefined)}>{_("Back")}</Button>
            <Button kind="primary" isPending={pending} onPress={() => void change()}>
              {_("Change it for this amount")}
            </Button>
          </>
        )
      }
    >
      <div className={page.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        {shown === undefined ? (
          <FormContextProvider value={form.context}>
            <MessageFields desc={operation.method.input} slot={form.slot} omit={KNOWN} />
            <Faults desc={operation.method.input} faults={form.context.faults} />
          </FormContextProvider>
        ) : (
          <Preview preview={shown.preview} />
        )}
      </div>
    </Dialog>
  );
}

/** The cost of a change: the invoice line by line, the credit, and the next bill. */
function Preview({ preview }: { preview: SubscriptionPreview }) {
  const { _ } = useLingui();
  const amount = useAmount();
  const { effectiveOn, invoice, total, credit, nextBillOn, nextTotal } = preview;
  const isCredit = total !== undefined && total.amount < 0n;
  return (
    <>
      <Table
        label={_("The invoice of the change")}
        rows={invoice?.items ?? []}
        rowId={(item) => item.id || `${item.description} ${item.amount?.amount}`}
        none={_("Nothing is billed for it.")}
        columns={[
          { header: _("Item"), cell: ({ description }) => description },
          { header: _("Amount"), end: true, cell: (item) => amount(item.amount) },
        ]}
      />
      <Facts
        facts={[
          { name: _("It begins on"), value: <DayText day={effectiveOn} long /> },
          {
            name: isCredit ? _("Given as a credit") : _("Charged"),
            value: (
              <strong>{amount(isCredit && total !== undefined ? { ...total, amount: -total.amount } : total)}</strong>
            ),
          },
          ...(credit === undefined || credit.amount === 0n || isCredit
            ? []
            : [{ name: _("Left over for the next bills"), value: amount(credit) }]),
          { name: _("Next bill"), value: <DayText day={nextBillOn} long /> },
          { name: _("Total of the next bill"), value: amount(nextTotal) },
        ]}
      />
    </>
  );
}
