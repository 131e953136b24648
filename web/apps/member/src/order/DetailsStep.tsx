// The second step: who the buyer is, where he lives, who else shall be covered. It ends with an order, priced and taxed.
import { callUnaryMethod } from "@connectrpc/connect-query";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { OrderService, type OrderDraftSchema } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { AuthorizedUserType, OrderChannel, PhoneType } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { focusFirstWrong } from "@pavise/ui/focus.ts";
import { useNavigate } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { useDraft, type Draft } from "../app/draft.tsx";
import { Refused } from "../app/Loaded.tsx";
import { countryOf, regionCode, regionName } from "../app/regions.ts";
import { currencyFor, LOCALES } from "../app/words.ts";
import { useCart } from "../shop/cart.ts";
import { BRAND, cartPeriod, type Choice, type Plan } from "../shop/catalog.ts";
import { People } from "./People.tsx";
import page from "../app/Page.module.css";

const ZIP = /^[0-9]{5}(-[0-9]{4})?$/;
const CANADIAN = /^[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]$/;

type Wrong = Partial<Record<keyof Draft | "people", string>>;

export type DetailsStepProps = { identityId: string; choices: readonly Choice[]; plans: readonly Plan[] };

/** The form. */
export function DetailsStep({ identityId, choices, plans }: DetailsStepProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { cart } = useCart();
  const { draft, put } = useDraft();
  const { transport } = useKeeper();
  const navigate = useNavigate();
  const [checked, setChecked] = useState(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const chosen = plans.filter(({ product }) => cart.products.includes(product.id));
  const business = chosen.some(({ product }) => product.business);
  const seats = Math.max(
    0,
    ...chosen.map(({ product, tiers }) => tiers.find(({ id }) => id === cart.tiers[product.id])?.maxAuthorizedUsers ?? 0),
  );
  const canadian = locale.endsWith("CA");
  const wrong = checked ? check(draft, { canadian, business }) : {};
  const say = (field: keyof Wrong) => (wrong[field] ? _(wrong[field]) : undefined);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setChecked(true);
    setError(undefined);
    if (Object.keys(check(draft, { canadian, business })).length > 0) {
      focusFirstWrong(event.currentTarget);
      return;
    }
    setPending(true);
    try {
      // Whoever came back to change something does not leave the order before behind.
      if (draft.orderId) {
        await callUnaryMethod(transport, OrderService.method.deleteOrder, { orderId: draft.orderId }).catch(() => undefined);
      }
      const identity = await callUnaryMethod(transport, IdentityService.method.getIdentity, { identityId });
      const order = await callUnaryMethod(transport, OrderService.method.createOrder, {
        identityId,
        order: orderOf(draft, identity.emails[0]?.address ?? ""),
      });
      put({ orderId: order.id });
      await navigate({ to: "/orders/$orderId", params: { orderId: order.id } });
    } catch (refused) {
      setError(refused);
      setPending(false);
    }
  }

  function orderOf(from: Draft, email: string): MessageInitShape<typeof OrderDraftSchema> {
    const address = {
      address1: from.address1.trim(),
      address2: from.address2.trim(),
      city: from.city.trim(),
      locality: regionCode(cart.region),
      postalCode: from.postalCode.trim().toUpperCase(),
      country: countryOf(locale),
    };
    const person = {
      firstName: from.firstName.trim(),
      lastName: from.lastName.trim(),
      email,
      phoneNumber: from.phone.trim(),
      phoneType: from.phone.trim() ? PhoneType.CELL : PhoneType.UNSPECIFIED,
    };
    return {
      offers: choices.map(({ offerId, selections }) => ({
        brand: BRAND,
        offerId,
        selections,
        billingPeriod: cartPeriod(cart),
      })),
      authorizedUsers: from.people.slice(0, seats).map(({ firstName, lastName, type, birthDate }) => ({
        type: AuthorizedUserType[type as keyof typeof AuthorizedUserType],
        firstName: firstName.trim(),
        lastName: lastName.trim(),
        birthDate: birthDate ?? undefined,
      })),
      personalInfo: person,
      ...(business ? { businessInfo: { ...person, name: from.business.trim(), address } } : {}),
      address,
      locality: regionCode(cart.region),
      locale: LOCALES[locale],
      currency: currencyFor(locale),
      billingPeriod: cartPeriod(cart),
      channel: OrderChannel.BUY_NOW,
    };
  }

  return (
    <form className={page.form} onSubmit={(event) => void submit(event)} noValidate>
      <div className={page.intro}>
        <h1>{_("details.title")}</h1>
        <p className={page.soft}>{_("details.lead")}</p>
      </div>
      {error !== undefined ? <Refused error={error} /> : null}
      <div className={page.pair}>
        <TextField
          label={_("details.firstName")}
          autoComplete="given-name"
          value={draft.firstName}
          onChange={(firstName) => put({ firstName })}
          error={say("firstName")}
        />
        <TextField
          label={_("details.lastName")}
          autoComplete="family-name"
          value={draft.lastName}
          onChange={(lastName) => put({ lastName })}
          error={say("lastName")}
        />
      </div>
      {business ? (
        <TextField
          label={_("details.business")}
          autoComplete="organization"
          value={draft.business}
          onChange={(name) => put({ business: name })}
          error={say("business")}
        />
      ) : null}
      <TextField
        label={_("details.address1")}
        autoComplete="address-line1"
        value={draft.address1}
        onChange={(address1) => put({ address1 })}
        error={say("address1")}
      />
      <TextField
        label={_("details.address2")}
        optional
        autoComplete="address-line2"
        value={draft.address2}
        onChange={(address2) => put({ address2 })}
      />
      <div className={page.pair}>
        <TextField
          label={_("details.city")}
          autoComplete="address-level2"
          value={draft.city}
          onChange={(city) => put({ city })}
          error={say("city")}
        />
        <TextField
          label={_(canadian ? "details.postalCode" : "details.zip")}
          autoComplete="postal-code"
          inputMode={canadian ? "text" : "numeric"}
          value={draft.postalCode}
          onChange={(postalCode) => put({ postalCode })}
          error={say("postalCode")}
          help={_("details.region", { region: regionName(cart.region, locale) })}
        />
      </div>
      <TextField
        label={_("details.phone")}
        optional
        type="tel"
        autoComplete="tel"
        value={draft.phone}
        onChange={(phone) => put({ phone })}
        error={say("phone")}
      />
      {seats > 0 ? (
        <People
          people={draft.people}
          onChange={(people) => put({ people })}
          most={seats}
          business={business && seats > 0 && chosen.every(({ product }) => product.business)}
          checked={checked}
        />
      ) : null}
      <div className={page.actions}>
        <Button kind="primary" type="submit" isPending={pending}>
          {_("details.continue")}
        </Button>
      </div>
    </form>
  );
}

/** The id of what is wrong with each field. */
function check(draft: Draft, { canadian, business }: { canadian: boolean; business: boolean }): Wrong {
  const wrong: Wrong = {};
  const needed = ["firstName", "lastName", "address1", "city"] as const;
  for (const field of needed) if (draft[field].trim() === "") wrong[field] = "details.missing";
  if (business && draft.business.trim() === "") wrong.business = "details.missing";
  if (!(canadian ? CANADIAN : ZIP).test(draft.postalCode.trim()))
    wrong.postalCode = canadian ? "details.postalCode.wrong" : "details.zip.wrong";
  if (!/^[0-9+(). -]{0,24}$/.test(draft.phone.trim())) wrong.phone = "details.phone.wrong";
  if (draft.people.some((person) => person.firstName.trim() === "" || person.lastName.trim() === ""))
    wrong.people = "details.missing";
  return wrong;
}
