// The faults of the buyer's form, and the order that is made from it.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import type { Cart } from "@pavise/rules/cart.ts";
import { AuthorizedUserType as TierUserType, type Tier } from "@pavise/schema/pavise/catalog/v1/product_part_pb";
import { PhoneType } from "@pavise/schema/pavise/common/v1/person_pb";
import { CountryCode } from "@pavise/schema/pavise/common/v1/place_pb";
import { AuthorizedUserType, OrderChannel } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import type { OrderDraftSchema } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import type { Draft, Person } from "../app/draft.tsx";
import { wrongName } from "../app/names.ts";
import { countryOf, regionCode } from "../app/regions.ts";
import { currencyFor, LOCALES } from "../app/words.ts";
import { isPostalCode } from "../profile/address.ts";
import { BRAND, cartPeriod, type Choice, type Plan } from "../shop/catalog.ts";

/** The input that the chosen plans need. */
export type Wanted = {
  /** How many people they cover besides the buyer. */
  seats: number;
  /** Whether one of them is for a business, and whether all are. */
  business: boolean;
  onlyBusiness: boolean;
  /** The relations that they cover; undefined for all. */
  relations?: ReadonlySet<string>;
};

/** The input that the plans of a cart need. */
export function wantedBy(cart: Cart, plans: readonly Plan[]): Wanted {
  const chosen = plans.filter(({ product }) => cart.products.includes(product.id));
  const picked = chosen.flatMap(({ product, tiers }) => tiers.filter(({ id }) => id === cart.tiers[product.id]));
  const relations = relationsOf(picked);
  return {
    ...(relations === undefined ? {} : { relations }),
    seats: Math.max(0, ...picked.map(({ maxAuthorizedUsers }) => maxAuthorizedUsers)),
    business: chosen.some(({ product }) => product.business),
    onlyBusiness: chosen.length > 0 && chosen.every(({ product }) => product.business),
  };
}

function isOpen({ authorizedUserTypes: types }: Tier): boolean {
  return types.length === 0 || types.includes(TierUserType.ANY) || types.includes(TierUserType.ALL);
}

/** The relations that any of the tiers covers; undefined where one names none or covers everybody. */
function relationsOf(tiers: readonly Tier[]): ReadonlySet<string> | undefined {
  const covering = tiers.filter(({ maxAuthorizedUsers }) => maxAuthorizedUsers > 0);
  if (covering.some(isOpen)) return undefined;
  return new Set(covering.flatMap(({ authorizedUserTypes }) => authorizedUserTypes.map((type) => TierUserType[type])));
}

/** The people to cover. Input beyond the available places is kept but not used. */
export function covered(people: readonly Person[], { seats }: Pick<Wanted, "seats">): readonly Person[] {
  return people.slice(0, seats);
}

/** The message id of each field's fault. */
export type Wrong = Partial<Record<keyof Draft, string>>;

/** The faults of the form; empty when it can be sent. */
export function wrongIn(
  draft: Draft,
  { canadian, ...wanted }: Pick<Wanted, "seats" | "business"> & { canadian: boolean },
): Wrong {
  const wrong: Wrong = {};
  for (const field of ["firstName", "lastName"] as const) {
    const fault = wrongName(draft[field]);
    if (fault !== undefined) wrong[field] = fault;
  }
  const needed = ["address1", "city"] as const;
  for (const field of needed) if (draft[field].trim() === "") wrong[field] = "details.missing";
  if (wanted.business && draft.business.trim() === "") wrong.business = "details.missing";
  if (!isPostalCode(draft.postalCode, canadian ? CountryCode.CAN : CountryCode.USA))
    wrong.postalCode = canadian ? "details.postalCode.wrong" : "details.zip.wrong";
  if (!/^[0-9+(). -]{0,24}$/.test(draft.phone.trim())) wrong.phone = "details.phone.wrong";
  const misnamed = covered(draft.people, wanted).flatMap(({ firstName, lastName }) =>
    [firstName, lastName].map((name) => wrongName(name)),
  );
  const fault = misnamed.find((one) => one !== undefined);
  if (fault !== undefined) wrong.people = fault;
  return wrong;
}

/** The region to which the refused postal code belongs; undefined for another refusal. */
export function regionOfRefused(error: unknown): string | undefined {
  const { fields, metadata } = problemOf(error);
  return fields.some(({ path }) => path.endsWith("postal_code")) ? metadata["region"] : undefined;
}

type Ordered = {
  draft: Draft;
  email: string;
  cart: Cart;
  choices: readonly Choice[];
  wanted: Wanted;
  locale: LocaleId;
};

/** The order of a cart, with the buyer's input. */
export function orderOf({
  draft,
  email,
  cart,
  choices,
  wanted,
  locale,
}: Ordered): MessageInitShape<typeof OrderDraftSchema> {
  const locality = regionCode(cart.region);
  const billingPeriod = cartPeriod(cart);
  const address = {
    address1: draft.address1.trim(),
    address2: draft.address2.trim(),
    city: draft.city.trim(),
    locality,
    postalCode: draft.postalCode.trim().toUpperCase(),
    country: countryOf(locale),
  };
  const phoneNumber = draft.phone.trim();
  const person = {
    firstName: draft.firstName.trim(),
    lastName: draft.lastName.trim(),
    email,
    phoneNumber,
    phoneType: phoneNumber === "" ? PhoneType.UNSPECIFIED : PhoneType.CELL,
  };
  return {
    offers: choices.map(({ offerId, selections }) => ({ brand: BRAND, offerId, selections, billingPeriod })),
    authorizedUsers: covered(draft.people, wanted).map(({ firstName, lastName, type, birthDate }) => ({
      type: AuthorizedUserType[type as keyof typeof AuthorizedUserType],
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      birthDate: birthDate ?? undefined,
    })),
    personalInfo: person,
    ...(wanted.business ? { businessInfo: { ...person, name: draft.business.trim(), address } } : {}),
    address,
    locality,
    locale: LOCALES[locale],
    currency: currencyFor(locale),
    billingPeriod,
    channel: OrderChannel.BUY_NOW,
  };
}
