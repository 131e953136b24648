// The postal addresses of the member.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { CountryCode, RegionCode, type Address } from "@pavise/schema/pavise/common/v1/place_pb";
import type { Profile, ProfileAddress } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { TextField, type TextFieldProps } from "@pavise/ui/Field.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { useState } from "react";
import { countryOf, regionChoices, regionCode, regionName } from "../app/regions.ts";
import { regionOfRefused } from "../order/details.ts";
import { addressText, isPostalCode } from "./address.ts";
import { EditDialog, isTwice, Primary } from "./EditDialog.tsx";
import { Items } from "./Items.tsx";
import { useSave } from "./profile.ts";
import frame from "../app/Page.module.css";

/** The part of the page. */
export function Addresses({ profile }: { profile: Profile }) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const save = useSave();
  const identityId = profile.id;
  const { addresses } = profile;
  return (
    <Items
      id="addresses"
      title={_("profile.addresses")}
      lead={_(addresses.length > 0 ? "profile.addresses.lead" : "profile.addresses.none")}
      addLabel={_("profile.addresses.add")}
      items={addresses}
      textOf={({ address }) => [address?.address1, address?.address2].filter(Boolean).join(", ")}
      detailOf={({ address }) => (address ? addressText(address, locale) : "")}
      onPrimary={({ id, address }) =>
        save(ProfileService.method.updateAddress, {
          identityId,
          addressId: id,
          address: { ...(address ? { address } : {}), primary: true },
        })
      }
      onRemove={({ id }) => save(ProfileService.method.removeAddress, { identityId, addressId: id })}
      dialog={(item, close) => <AddressDialog identityId={identityId} item={item} onClose={close} />}
    />
  );
}

type AddressDialogProps = { identityId: string; item: ProfileAddress | undefined; onClose: () => void };
type Line = "address1" | "address2" | "city" | "postalCode";
type Typed = Pick<Address, Line> & { region: string; country: CountryCode };

const COUNTRIES = [CountryCode.USA, CountryCode.CAN] as const;

/** The path of each field in the request. */
const NAMES: Readonly<Record<Line, string>> = {
  address1: "address.address.address1",
  address2: "address.address.address2",
  city: "address.address.city",
  postalCode: "address.address.postal_code",
};

function AddressDialog({ identityId, item, onClose }: AddressDialogProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const save = useSave();
  const [typed, setTyped] = useState(() => typedOf(item?.address, countryOf(locale)));
  const [primary, setPrimary] = useState(item?.primary ?? false);
  const [sent, setSent] = useState<Typed>();
  const put = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }));
  const canadian = typed.country === CountryCode.CAN;
  const wrong = wrongIn(typed);
  const line = (field: Line, checked: boolean): Pick<TextFieldProps, "name" | "value" | "onChange" | "error"> => ({
    name: NAMES[field],
    value: typed[field],
    onChange: (text) => put({ [field]: text }),
    error: checked && wrong[field] !== undefined ? _(wrong[field]) : undefined,
  });
  return (
    <EditDialog
      title={_(item ? "profile.addresses.change" : "profile.addresses.add")}
      onClose={onClose}
      right={Object.keys(wrong).length === 0}
      onSave={() => {
        setSent(typed);
        const address = { address: addressOf(typed), primary };
        return item
          ? save(ProfileService.method.updateAddress, { identityId, addressId: item.id, address })
          : save(ProfileService.method.addAddress, { identityId, address });
      }}
    >
      {(checked, refused) => {
        const elsewhere = refused === undefined || sent !== typed ? undefined : regionOfRefused(refused);
        const twice = sent === typed && isTwice(refused, "address", "addresses");
        return (
          <>
            <NativeSelect
              label={_("profile.country")}
              choices={COUNTRIES.map((id) => ({ id: CountryCode[id], label: _(`profile.country.${CountryCode[id]}`) }))}
              value={CountryCode[typed.country] ?? null}
              onChange={(name) => put({ country: name === "CAN" ? CountryCode.CAN : CountryCode.USA, region: "" })}
            />
            <TextField
              label={_("details.address1")}
              autoComplete="address-line1"
              maxLength={LENGTHS["common.v1.Address.address1"]}
              {...line("address1", checked)}
              {...(twice ? { error: _("profile.twice") } : {})}
            />
            <TextField
              label={_("details.address2")}
              optional
              autoComplete="address-line2"
              maxLength={LENGTHS["common.v1.Address.address2"]}
              {...line("address2", checked)}
            />
            <TextField
              label={_("details.city")}
              autoComplete="address-level2"
              maxLength={LENGTHS["common.v1.Address.city"]}
              {...line("city", checked)}
            />
            <div className={frame.pair}>
              <NativeSelect
                label={_(canadian ? "profile.province" : "profile.state")}
                name="address.address.locality"
                choices={choicesOf(typed, locale)}
                value={typed.region === "" ? null : typed.region}
                onChange={(region) => put({ region })}
                error={checked && typed.region === "" ? _("details.missing") : undefined}
              />
              <TextField
                label={_(canadian ? "details.postalCode" : "details.zip")}
                autoComplete="postal-code"
                inputMode={canadian ? "text" : "numeric"}
                {...line("postalCode", checked)}
                {...(elsewhere === undefined
                  ? {}
                  : {
                      error: _("profile.postalCode.region", {
                        there: regionName(elsewhere, locale),
                        region: regionName(typed.region, locale),
                      }),
                    })}
              />
            </div>
            <Primary item={item} value={primary} onChange={setPrimary}>
              {_("profile.addresses.primary")}
            </Primary>
          </>
        );
      }}
    </EditDialog>
  );
}

/** The fields of an address; empty ones for a new address. */
function typedOf(address: Address | undefined, country: CountryCode): Typed {
  return {
    address1: address?.address1 ?? "",
    address2: address?.address2 ?? "",
    city: address?.city ?? "",
    postalCode: address?.postalCode ?? "",
    region: address?.locality ? (RegionCode[address.locality] ?? "") : "",
    country: address?.country || country,
  };
}

/** The address of the fields. */
function addressOf({ region, country, ...lines }: Typed) {
  return {
    address1: lines.address1.trim(),
    address2: lines.address2.trim(),
    city: lines.city.trim(),
    postalCode: lines.postalCode.trim().toUpperCase(),
    locality: regionCode(region),
    country,
  };
}

/** The regions of the country. One that is no choice of the shop, such as Puerto Rico, stays with an address that has it. */
function choicesOf({ region, country }: Typed, locale: Parameters<typeof regionName>[1]) {
  const choices = regionChoices(locale, country);
  return region === "" || choices.some(({ id }) => id === region)
    ? choices
    : [...choices, { id: region, label: regionName(region, locale) }];
}

/** The message id of each field's fault. */
function wrongIn(typed: Typed): Partial<Record<Line | "region", string>> {
  const wrong: Partial<Record<Line | "region", string>> = {};
  for (const field of ["address1", "city"] as const) if (typed[field].trim() === "") wrong[field] = "details.missing";
  if (typed.region === "") wrong.region = "details.missing";
  const canadian = typed.country === CountryCode.CAN;
  if (!isPostalCode(typed.postalCode, typed.country))
    wrong.postalCode = canadian ? "details.postalCode.wrong" : "details.zip.wrong";
  return wrong;
}
