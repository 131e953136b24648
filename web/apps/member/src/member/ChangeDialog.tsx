// The dialog of a change of plan: another plan, when, and what it costs before the member agrees.
import { callUnaryMethod, createConnectQueryKey, useQuery, useTransport } from "@connectrpc/connect-query";
import type { Transport } from "@connectrpc/connect";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { ChangeTime, type Subscription } from "@pavise/schema/pavise/billing/v1/subscription_pb";
import {
  SubscriptionService,
  type SubscriptionPreview,
} from "@pavise/schema/pavise/billing/v1/subscription_service_pb";
import { SalesChannelKind } from "@pavise/schema/pavise/catalog/v1/offer_pb";
import { OfferService } from "@pavise/schema/pavise/catalog/v1/offer_service_pb";
import { ProductService } from "@pavise/schema/pavise/catalog/v1/product_service_pb";
import { Currency, type Money } from "@pavise/schema/pavise/common/v1/money_pb";
import type { Entitlement } from "@pavise/schema/pavise/fulfillment/v1/entitlement_pb";
import { PlanChangeTime } from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import { ProvisionService } from "@pavise/schema/pavise/fulfillment/v1/provision_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Radio, RadioGroup } from "@pavise/ui/Choices.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { dayText } from "@pavise/ui/Value.tsx";
import { useMutation, useQuery as useAnyQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { localized, LOCALES, priceText } from "../app/words.ts";
import { BRAND, isTrial, joinPlans } from "../shop/catalog.ts";
import { useMemberId } from "./holdings.ts";
import { amountsOf, itemsAfter, keptSupplements, targetsOf, type Target } from "./plan-change.ts";
import page from "@pavise/ui/Part.module.css";

type When = "now" | "next";

export type ChangeDialogProps = { subscription: Subscription; held: Entitlement; onClose: () => void };

/** The dialog. */
export function ChangeDialog({ subscription, held, onClose }: ChangeDialogProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const transport = useTransport();
  const client = useQueryClient();
  const currency = subscription.items[0]?.price?.currency ?? Currency.UNSPECIFIED;
  const targets = useTargets(held, currency);
  const [key, setKey] = useState<string | null>(null);
  const [when, setWhen] = useState<When>("now");
  const [isOther, setOther] = useState(false);
  const target = targets.data?.find((one) => one.key === key);
  const asked = { identityId, subscription, held, target, when, locale, currency };
  const preview = useAnyQuery({
    queryKey: ["plan change", subscription.id, String(subscription.version), key, when],
    queryFn: () => loadPreview(transport, asked),
    enabled: target !== undefined,
    staleTime: 0,
  });
  const confirm = useMutation({
    mutationFn: async (shown: Money | undefined) => {
      // The amount that was shown is the amount that is agreed to: it is asked for once more.
      const again = await preview.refetch({ throwOnError: true });
      if (again.data?.total?.amount !== shown?.amount) return false;
      try {
        await callUnaryMethod(transport, ProvisionService.method.submitPlanChanges, requestOf(asked, shown));
      } catch (refused) {
        if (problemOf(refused).reason !== "PRICE_CHANGED") throw refused;
        await preview.refetch();
        return false;
      }
      return true;
    },
    onSuccess: (isAsked) => {
      setOther(!isAsked);
      if (!isAsked) return undefined;
      onClose();
      toast({ title: _("change.asked") });
      return client.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: ProvisionService.method.listProvisions, cardinality: "finite" }),
      });
    },
  });
  const total = preview.data?.total;
  const pays = when === "now" && (total?.amount ?? 0n) > 0n;
  function choose(change: () => void) {
    change();
    setOther(false);
    confirm.reset();
  }
  return (
    <Dialog
      title={_("change.title", { plan: held.name })}
      open
      stays
      onOpenChange={(open) => (open ? undefined : onClose())}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("change.no")}</Button>
          <Button
            kind="primary"
            isPending={confirm.isPending}
            isDisabled={target === undefined || total === undefined}
            onPress={() => confirm.mutate(total)}
          >
            {pays ? _("change.confirm.pay", { price: priceText(total, locale) }) : _("change.plan")}
          </Button>
        </>
      )}
    >
      <Loaded query={targets} lines={3}>
        {(all) =>
          all.length === 0 ? (
            <p>{_("change.to.none")}</p>
          ) : (
            <>
              <Select
                label={_("change.to")}
                choices={all.map((one) => ({ id: one.key, label: nameOf(one, locale) }))}
                value={key}
                onChange={(next) => choose(() => setKey(next))}
              />
              <RadioGroup<When> label={_("change.when")} value={when} onChange={(next) => choose(() => setWhen(next))}>
                <Radio value="now" detail={_("change.when.now.detail")}>
                  {_("change.when.now")}
                </Radio>
                {subscription.nextBillOn ? (
                  <Radio value="next" detail={_("change.when.next.detail")}>
                    {_("change.when.next", { day: dayText(locale, subscription.nextBillOn, true) })}
                  </Radio>
                ) : null}
              </RadioGroup>
            </>
          )
        }
      </Loaded>
      {target && isOther ? (
        <Note tone="warning" spoken title={_("change.price.title")}>
          {_("change.price.detail", { price: priceText(total, locale) })}
        </Note>
      ) : null}
      {target ? (
        <Loaded query={preview} lines={4}>
          {(shown) =>
            shown === null ? <p>{_("change.notSold")}</p> : <Costs preview={shown} when={when} currency={currency} />
          }
        </Loaded>
      ) : null}
      {confirm.error ? <Refused error={confirm.error} /> : null}
    </Dialog>
  );
}

/** The amounts of a change, line by line. */
function Costs({ preview, when, currency }: { preview: SubscriptionPreview; when: When; currency: Currency }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const balance = useQuery(InvoiceService.method.getBalance, { identityId });
  const left = balance.data?.balances.find((one) => one.currency === currency)?.credit;
  const { invoice, total, effectiveOn, nextBillOn, nextTotal } = preview;
  const { on, tax, off, credit } = amountsOf(invoice?.items ?? []);
  const text = (amount: bigint) => (total ? priceText({ ...total, amount }, locale) : "");
  const due = total?.amount ?? 0n;
  const day = effectiveOn ? dayText(locale, effectiveOn, true) : "";
  const until = invoice?.periodUntil ? dayText(locale, invoice.periodUntil, true) : "";
  const lines = [
    { said: _("change.off"), money: text(-off), shown: off > 0n },
    { said: _("change.on", { day: until }), money: text(on), shown: true },
    { said: _("change.tax"), money: text(tax), shown: tax > 0n },
    { said: _("change.credit.used"), money: text(-credit), shown: credit > 0n },
    { said: _("change.due.credit"), money: text(-due), shown: due < 0n },
    {
      said: when === "now" ? _("change.due.now") : _("change.due.next", { day }),
      money: text(due < 0n ? 0n : due),
      shown: true,
    },
    {
      said: _("change.next", { day: nextBillOn ? dayText(locale, nextBillOn, true) : "" }),
      money: priceText(nextTotal, locale),
      shown: nextBillOn !== undefined,
    },
    { said: _("change.credit.left"), money: priceText(left, locale), shown: (left?.amount ?? 0n) > 0n },
  ];
  return (
    <div className={page.rows}>
      {lines
        .filter(({ shown }) => shown)
        .map(({ said, money }) => (
          <div key={said} className={page.line}>
            <span className={page.lineWords}>{said}</span>
            <span className={page.end}>{money}</span>
          </div>
        ))}
    </div>
  );
}

/** The plans that a plan can become, in the currency that it is billed in. Plans on trial are for sale only. */
function useTargets(held: Entitlement, currency: Currency) {
  const channel = SalesChannelKind.D2C;
  const offers = useQuery(OfferService.method.listOffers, { brand: BRAND, pageSize: 100, channel, currency });
  const products = useQuery(ProductService.method.listProducts, { pageSize: 100 });
  const plans = offers.data && products.data && joinPlans(offers.data.offers, products.data.products);
  return {
    data:
      plans &&
      targetsOf(
        held,
        plans.filter((plan) => !isTrial(plan)),
      ),
    error: offers.error ?? products.error,
    isFetching: offers.isFetching || products.isFetching,
    refetch: () => Promise.all([offers.refetch(), products.refetch()]),
  };
}

function nameOf({ plan, tierId }: Target, locale: LocaleId): string {
  const tier = plan.tiers.find(({ id }) => id === tierId);
  const product = localized(plan.product.friendlyNames, locale);
  return tier ? `${product} · ${localized(tier.names, locale)}` : product;
}

type AskedFor = {
  identityId: string;
  subscription: Subscription;
  held: Entitlement;
  target: Target | undefined;
  when: When;
  locale: LocaleId;
  currency: Currency;
};

/** Asks the catalog for the prices, and billing for the very invoice; null where the plan is not sold like that. */
async function loadPreview(transport: Transport, asked: AskedFor): Promise<SubscriptionPreview | null> {
  const { identityId, subscription, held, target, when, locale, currency } = asked;
  if (target === undefined) return null;
  const { plan, tierId } = target;
  const supplementIds = keptSupplements(held, target);
  const priced = await callUnaryMethod(transport, OfferService.method.validateSelections, {
    brand: BRAND,
    offerId: plan.offer.id,
    selections: [{ productId: plan.product.id, tierId, supplementIds }],
    billingPeriod: subscription.billingPeriod,
    currency,
    locality: held.serviceArea,
    locale: LOCALES[locale],
  });
  if (!priced.valid) return null;
  return callUnaryMethod(transport, SubscriptionService.method.previewSubscription, {
    identityId,
    subscriptionId: subscription.id,
    offerId: plan.offer.id,
    items: itemsAfter(subscription.items, held, target, priced.lines),
    billingPeriod: subscription.billingPeriod,
    time: when === "now" ? ChangeTime.NOW : ChangeTime.NEXT_BILLING_DAY,
  });
}

/** The change as it is asked for. One with the next bill has a first day; what it costs then is that bill's total. */
function requestOf({ identityId, subscription, held, target, when, currency }: AskedFor, shown: Money | undefined) {
  const next = subscription.nextBillOn;
  const onNextBill = next ? { effectiveOn: next } : {};
  const start = when === "now" ? { time: PlanChangeTime.NOW, ...(shown ? { expectedTotal: shown } : {}) } : onNextBill;
  return {
    identityId,
    entitlementId: held.id,
    brand: BRAND,
    offerId: target?.plan.offer.id ?? "",
    productId: target?.plan.product.id ?? "",
    tierId: target?.tierId ?? "",
    supplementIds: target ? keptSupplements(held, target) : [],
    billingPeriod: subscription.billingPeriod,
    currency,
    ...start,
  };
}
