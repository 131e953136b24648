// The second step: the buyer, their address, the people to cover. It creates the priced and taxed order.
import { callUnaryMethod } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import type { Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { DateField } from "@pavise/ui/DateField.tsx";
import { TextField, type TextFieldProps } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useDraft, type Draft } from "../app/draft.tsx";
import { countryOf, regionName } from "../app/regions.ts";
import { useProfile, useSave } from "../profile/profile.ts";
import { useCart } from "../shop/cart.ts";
import type { Choice, Plan } from "../shop/catalog.ts";
import { orderOf, regionOfRefused, wantedBy, wrongIn, type Wanted, type Wrong } from "./details.ts";
import { knownFields, storeBirthDate, storeKnown } from "./known.ts";
import { People } from "./People.tsx";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";

export type DetailsStepProps = { identityId: string; choices: readonly Choice[]; plans: readonly Plan[] };

/** The form. */
export function DetailsStep({ identityId, choices, plans }: DetailsStepProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { cart } = useCart();
  const { draft, put } = useDraft();
  const wanted = wantedBy(cart, plans);
  const canadian = locale.endsWith("CA");
  const wrong = wrongIn(draft, { ...wanted, canadian });
  const profile = useProfile().data;
  const asksBirthDate = profile !== undefined && profile.version > 0n && profile.dateOfBirth === undefined;
  useEffect(() => {
    if (profile === undefined || profile.version === 0n || draft.known) return;
    put({ ...knownFields(profile, draft, cart), known: true });
  }, [profile, draft, put, cart]);
  const { order, pending, error, sent } = useOrdering({ identityId, profile, choices, wanted });
  const elsewhere = error === undefined ? undefined : regionOfRefused(error);
  // A changed value has not been refused yet, so its error goes.
  const refused = elsewhere !== undefined && sent === draft.postalCode ? elsewhere : undefined;
  return (
    <Form right={Object.keys(wrong).length === 0} onSend={order} error={error}>
      {(checked) => (
        <>
          <div className={page.intro}>
            <PageTitle>{_("details.title")}</PageTitle>
            <p className={page.soft}>{_("details.lead")}</p>
            {draft.known && profile?.name ? <p className={page.soft}>{_("details.known")}</p> : null}
          </div>
          {error === undefined || elsewhere !== undefined ? null : <Refused error={error} />}
          <Buyer wrong={checked ? wrong : {}} elsewhere={refused} business={wanted.business} canadian={canadian} />
          {asksBirthDate ? (
            <DateField
              label={_("details.birthDate")}
              name="date_of_birth"
              optional
              help={_("details.birthDate.help")}
              value={draft.birthDate}
              onChange={(birthDate) => put({ birthDate })}
            />
          ) : null}
          {wanted.seats > 0 ? (
            <People
              people={draft.people}
              onChange={(people) => put({ people })}
              most={wanted.seats}
              business={wanted.onlyBusiness}
              relations={wanted.relations}
              checked={checked}
            />
          ) : null}
          <div className={page.actions}>
            <Button kind="primary" type="submit" isPending={pending}>
              {_("details.continue")}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}

type Ordering = {
  identityId: string;
  profile: Profile | undefined;
  choices: readonly Choice[];
  wanted: Wanted;
};

/** Creates the order from the draft, saves on the profile what is new, and goes to the order's page. */
function useOrdering({ identityId, profile, choices, wanted }: Ordering) {
  const { locale } = useLanguage();
  const { cart } = useCart();
  const { draft, put } = useDraft();
  const { transport } = useKeeper();
  const navigate = useNavigate();
  const { pending, error, run } = useAttempt();
  const [sent, setSent] = useState("");
  const save = useSave();
  const order = () =>
    void run(async () => {
      setSent(draft.postalCode);
      if (profile?.dateOfBirth === undefined && profile !== undefined) await storeBirthDate(save, profile, draft);
      // A buyer who came back to change something replaces the earlier order.
      if (draft.orderId) {
        await callUnaryMethod(transport, OrderService.method.deleteOrder, { orderId: draft.orderId }).catch(
          () => undefined,
        );
      }
      const identity = await callUnaryMethod(transport, IdentityService.method.getIdentity, { identityId });
      const waiting = await callUnaryMethod(transport, IdentityService.method.listUnprovedEmails, { identityId });
      const email = identity.emails[0]?.address ?? waiting.emails[0]?.address ?? "";
      const made = await callUnaryMethod(transport, OrderService.method.createOrder, {
        identityId,
        order: orderOf({ draft, email, cart, choices, wanted, locale }),
      });
      put({ orderId: made.id });
      // The order has them in any case, and brings them to the profile when it is paid.
      if (profile !== undefined)
        await storeKnown(save, profile, { draft, region: cart.region, country: countryOf(locale) }).catch(
          () => undefined,
        );
      await navigate({ to: "/orders/$orderId", params: { orderId: made.id } });
    });
  return { order, pending, error, sent };
}

/** One-line fields of the draft. */
type Line = "firstName" | "lastName" | "business" | "address1" | "address2" | "city" | "postalCode" | "phone";

/** The path of each field in the request, and its greatest length. */
const FIELDS: Readonly<Record<Line, { name: string; maxLength?: number }>> = {
  firstName: { name: "order.personal_info.first_name", maxLength: LENGTHS["orders.v1.PersonalInfo.first_name"] },
  lastName: { name: "order.personal_info.last_name", maxLength: LENGTHS["orders.v1.PersonalInfo.last_name"] },
  business: { name: "order.business_info.name", maxLength: LENGTHS["orders.v1.BusinessInfo.name"] },
  address1: { name: "order.address.address1", maxLength: LENGTHS["common.v1.Address.address1"] },
  address2: { name: "order.address.address2", maxLength: LENGTHS["common.v1.Address.address2"] },
  city: { name: "order.address.city", maxLength: LENGTHS["common.v1.Address.city"] },
  postalCode: { name: "order.address.postal_code" },
  phone: { name: "order.personal_info.phone_number", maxLength: LENGTHS["orders.v1.PersonalInfo.phone_number"] },
};

type BuyerProps = { wrong: Wrong; elsewhere: string | undefined; business: boolean; canadian: boolean };

/** The buyer's name and address. A postal code of another region shows its error at that field. */
function Buyer({ wrong, elsewhere, business, canadian }: BuyerProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { cart } = useCart();
  const { draft, put } = useDraft();
  const line = (field: Line): Pick<TextFieldProps, "value" | "onChange" | "error" | "name" | "maxLength"> => ({
    ...FIELDS[field],
    value: draft[field],
    onChange: (typed) => put({ [field]: typed } satisfies Partial<Record<keyof Draft, string>>),
    error: wrong[field] === undefined ? undefined : _(wrong[field]),
  });
  return (
    <>
      <div className={frame.pair}>
        <TextField label={_("details.firstName")} autoComplete="given-name" {...line("firstName")} />
        <TextField label={_("details.lastName")} autoComplete="family-name" {...line("lastName")} />
      </div>
      {business ? <TextField label={_("details.business")} autoComplete="organization" {...line("business")} /> : null}
      <TextField label={_("details.address1")} autoComplete="address-line1" {...line("address1")} />
      <TextField label={_("details.address2")} optional autoComplete="address-line2" {...line("address2")} />
      <div className={frame.pair}>
        <TextField label={_("details.city")} autoComplete="address-level2" {...line("city")} />
        <TextField
          label={_(canadian ? "details.postalCode" : "details.zip")}
          autoComplete="postal-code"
          inputMode={canadian ? "text" : "numeric"}
          help={_("details.region", { region: regionName(cart.region, locale) })}
          {...line("postalCode")}
          {...(elsewhere === undefined
            ? {}
            : {
                error: _("details.postalCode.region", {
                  there: regionName(elsewhere, locale),
                  region: regionName(cart.region, locale),
                }),
              })}
        />
      </div>
      <TextField label={_("details.phone")} optional type="tel" autoComplete="tel" {...line("phone")} />
    </>
  );
}
