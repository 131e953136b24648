// The parts of the checkout that the profile knows already, and the parts that the checkout adds to it.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Cart } from "@pavise/rules/cart.ts";
import { PhoneType } from "@pavise/schema/pavise/common/v1/person_pb";
import type { Address, AddressSchema, CountryCode } from "@pavise/schema/pavise/common/v1/place_pb";
import type { Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import type { Draft } from "../app/draft.tsx";
import { regionCode } from "../app/regions.ts";
import { phoneDigits, phoneText } from "../profile/phones.ts";
import type { Save } from "../profile/profile.ts";

type Line = "firstName" | "lastName" | "phone" | "address1" | "address2" | "city" | "postalCode";

/** The primary item of a list, else the first. */
function primaryOf<T extends { readonly primary: boolean }>(items: readonly T[]): T | undefined {
  return items.find(({ primary }) => primary) ?? items[0];
}

/** The fields of the form that the profile fills in. What is typed stays, and an address is of the cart's region. */
export function knownFields(
  profile: Profile,
  draft: Draft,
  { region }: Pick<Cart, "region">,
): Partial<Record<Line, string>> {
  const inRegion = profile.addresses.filter(({ address }) => address?.locality === regionCode(region));
  const address = primaryOf(inRegion)?.address;
  const phone = primaryOf(profile.phoneNumbers)?.number;
  const known: Partial<Record<Line, string>> = {
    firstName: profile.name?.firstName ?? "",
    lastName: profile.name?.lastName ?? "",
    phone: phone === undefined ? "" : phoneText(phone),
  };
  // Lines of two addresses do not mix.
  if (address !== undefined && [draft.address1, draft.city, draft.postalCode].every((line) => line === "")) {
    const { address1, address2, city, postalCode } = address;
    Object.assign(known, { address1, address2, city, postalCode });
  }
  return Object.fromEntries(Object.entries(known).filter(([field]) => draft[field as Line] === ""));
}

/** Saves the date of birth, which is no part of an order. */
export async function storeBirthDate(save: Save, { id }: Profile, { birthDate }: Draft) {
  if (birthDate !== null)
    await save(ProfileService.method.updateDateOfBirth, { identityId: id, dateOfBirth: birthDate });
}

type Entered = { draft: Draft; region: string; country: CountryCode };

/** Saves the name, the number and the address of the form where the profile has others. */
export async function storeKnown(save: Save, profile: Profile, entered: Entered): Promise<void> {
  const identityId = profile.id;
  const { name, phoneNumber, address } = newIn(profile, entered);
  if (name !== undefined) await save(ProfileService.method.updateName, { identityId, name });
  if (phoneNumber !== undefined) await save(ProfileService.method.addPhoneNumber, { identityId, phoneNumber });
  if (address !== undefined) await save(ProfileService.method.addAddress, { identityId, address: { address } });
}

/** The parts of the form that the profile does not have. */
export function newIn(profile: Profile, { draft, region, country }: Entered) {
  const typed = (field: Line) => draft[field].trim();
  const name = { firstName: typed("firstName"), lastName: typed("lastName") };
  const isSameName = name.firstName === profile.name?.firstName && name.lastName === profile.name.lastName;
  const number = typed("phone");
  const isKnown = profile.phoneNumbers.some((phone) => phoneDigits(phone.number) === phoneDigits(number));
  const address: MessageInitShape<typeof AddressSchema> = {
    address1: typed("address1"),
    address2: typed("address2"),
    city: typed("city"),
    postalCode: typed("postalCode").toUpperCase(),
    locality: regionCode(region),
    country,
  };
  const lives = profile.addresses.some((item) => item.address !== undefined && isSame(item.address, address));
  const { middleName = "", suffix = "", title = "", preferredName = "" } = profile.name ?? {};
  return {
    ...(isSameName ? {} : { name: { ...name, middleName, suffix, title, preferredName } }),
    ...(number === "" || isKnown ? {} : { phoneNumber: { number, type: PhoneType.CELL } }),
    ...(lives ? {} : { address }),
  };
}

/** Whether two addresses are one, however they are written. */
function isSame(known: Address, typed: MessageInitShape<typeof AddressSchema>): boolean {
  return (
    known.locality === typed.locality &&
    (["address1", "address2", "city", "postalCode"] as const).every(
      (line) => letters(known[line]) === letters(typed[line]),
    )
  );
}

function letters(text = ""): string {
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
