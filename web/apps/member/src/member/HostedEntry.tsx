// A card that is entered on the vendor's page: the way there, and what happened once the browser is led back.
import { createConnectQueryKey, useMutation } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { HostedEntryStatus } from "@pavise/schema/pavise/billing/v1/hosted_entry_pb";
import { HostedEntryService } from "@pavise/schema/pavise/billing/v1/hosted_entry_service_pb";
import { PaymentMethodType, Vendor } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { BASE } from "../app/base.ts";
import { useMemberId } from "./holdings.ts";

/** The names of the vendors with a page of their own. */
const NAMES: Readonly<Partial<Record<Vendor, string>>> = { [Vendor.STRIPE]: "Stripe" };

/** Leads the browser away; tests replace it. */
export const browser = { goTo: (address: string) => globalThis.location.assign(address) };

/** Says where the card is entered, and leads there. */
export function HostedDialog({ vendor, onClose }: { vendor: Vendor; onClose: () => void }) {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const words = { vendor: NAMES[vendor] ?? "" };
  const begin = useMutation(HostedEntryService.method.beginHostedEntry, {
    onSuccess: ({ redirectToUrl }) => browser.goTo(redirectToUrl),
  });
  return (
    <Dialog
      title={_("entry.begin", words)}
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      actions={
        <Button
          kind="primary"
          // The page stays until the browser has left it.
          isPending={begin.isPending || begin.isSuccess}
          onPress={() =>
            begin.mutate({ identityId, vendor, type: PaymentMethodType.CREDIT_CARD, returnPath: `${BASE}/billing` })
          }
        >
          {_("entry.go", words)}
        </Button>
      }
    >
      <p>{_("entry.detail", words)}</p>
      {begin.error ? <Refused error={begin.error} /> : null}
    </Dialog>
  );
}

/** Finishes an entry from which the browser was led back, and says what happened. */
export function EntryReturn({ entryId }: { entryId: string }) {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const client = useQueryClient();
  const { mutate, data, error } = useMutation(HostedEntryService.method.finishHostedEntry, {
    onSuccess: () =>
      client.invalidateQueries({
        queryKey: createConnectQueryKey({
          schema: PaymentMethodService.method.listPaymentMethods,
          cardinality: "finite",
        }),
      }),
  });
  const asked = useRef("");
  useEffect(() => {
    if (identityId === "" || asked.current === entryId) return;
    asked.current = entryId;
    mutate({ identityId, hostedEntryId: entryId });
  }, [identityId, entryId, mutate]);
  if (data?.status === HostedEntryStatus.COMPLETED)
    return (
      <Note tone="good" spoken title={_("entry.saved")}>
        {_("entry.saved.detail")}
      </Note>
    );
  if (data !== undefined)
    return (
      <Note tone="warning" spoken title={_("entry.expired")}>
        {_("entry.expired.detail")}
      </Note>
    );
  if (error && problemOf(error).reason === "ENTRY_NOT_FINISHED")
    return (
      <Note
        tone="warning"
        spoken
        title={_("entry.open")}
        actions={<Button onPress={() => mutate({ identityId, hostedEntryId: entryId })}>{_("entry.again")}</Button>}
      >
        {_("entry.open.detail")}
      </Note>
    );
  if (error) return <Refused error={error} />;
  return <p role="status">{_("entry.finishing")}</p>;
}
