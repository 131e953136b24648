// The telephone numbers by which the member is reached.
import { useLingui } from "@lingui/react";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { PhoneType } from "@pavise/schema/pavise/common/v1/person_pb";
import type { Profile, ProfilePhoneNumber } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { TextField } from "@pavise/ui/Field.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { useState } from "react";
import { nameOf } from "../member/holdings.ts";
import { EditDialog, isTwice, Primary } from "./EditDialog.tsx";
import { Items } from "./Items.tsx";
import { isPhone, KINDS, phoneText } from "./phones.ts";
import { useSave } from "./profile.ts";
import frame from "../app/Page.module.css";

/** The most digits of an extension. */
const EXTENSION = 8;

/** The part of the page. */
export function Phones({ profile }: { profile: Profile }) {
  const { _ } = useLingui();
  const save = useSave();
  const identityId = profile.id;
  const { phoneNumbers } = profile;
  return (
    <Items
      id="phones"
      title={_("profile.phones")}
      lead={_(phoneNumbers.length > 0 ? "profile.phones.lead" : "profile.phones.none")}
      addLabel={_("profile.phones.add")}
      items={phoneNumbers}
      textOf={({ number }) => phoneText(number)}
      detailOf={({ type, extension }) =>
        [
          _(`profile.phone.${nameOf(PhoneType, type || PhoneType.CELL)}`),
          ...(extension === "" ? [] : [_("profile.phone.ext", { extension })]),
        ].join(" · ")
      }
      onPrimary={({ id, type, number, extension }) =>
        save(ProfileService.method.updatePhoneNumber, {
          identityId,
          phoneNumberId: id,
          phoneNumber: { type, number, extension, primary: true },
        })
      }
      onRemove={({ id }) => save(ProfileService.method.removePhoneNumber, { identityId, phoneNumberId: id })}
      dialog={(item, close) => <PhoneDialog identityId={identityId} item={item} onClose={close} />}
    />
  );
}

type PhoneDialogProps = { identityId: string; item: ProfilePhoneNumber | undefined; onClose: () => void };

function PhoneDialog({ identityId, item, onClose }: PhoneDialogProps) {
  const { _ } = useLingui();
  const save = useSave();
  const [type, setType] = useState<PhoneType>(item?.type || PhoneType.CELL);
  const [number, setNumber] = useState(item ? phoneText(item.number) : "");
  const [extension, setExtension] = useState(item?.extension ?? "");
  const [primary, setPrimary] = useState(item?.primary ?? false);
  const [sent, setSent] = useState("");
  const typed = { number: number.trim(), extension: extension.trim() };
  const isExtension = /^\d*$/.test(typed.extension);
  return (
    <EditDialog
      title={_(item ? "profile.phones.change" : "profile.phones.add")}
      onClose={onClose}
      right={isPhone(typed.number) && isExtension}
      onSave={() => {
        setSent(number);
        const phoneNumber = { ...typed, type, primary };
        return item
          ? save(ProfileService.method.updatePhoneNumber, { identityId, phoneNumberId: item.id, phoneNumber })
          : save(ProfileService.method.addPhoneNumber, { identityId, phoneNumber });
      }}
    >
      {(checked, refused) => (
        <>
          <NativeSelect
            label={_("profile.phone.kind")}
            name="phone_number.type"
            choices={KINDS.map((kind) => ({
              id: nameOf(PhoneType, kind),
              label: _(`profile.phone.${nameOf(PhoneType, kind)}`),
            }))}
            value={nameOf(PhoneType, type)}
            onChange={(name) => setType(KINDS.find((kind) => nameOf(PhoneType, kind) === name) ?? PhoneType.CELL)}
          />
          <div className={frame.pair}>
            <TextField
              label={_("details.phone")}
              type="tel"
              name="phone_number.number"
              maxLength={LENGTHS["members.v1.ProfilePhoneNumber.number"]}
              autoComplete="tel"
              value={number}
              onChange={setNumber}
              error={
                checked && !isPhone(typed.number)
                  ? _("profile.phone.wrong")
                  : sent === number && isTwice(refused, "phone_number", "phone_numbers")
                    ? _("profile.twice")
                    : undefined
              }
            />
            <TextField
              label={_("profile.phone.extension")}
              optional
              inputMode="numeric"
              name="phone_number.extension"
              maxLength={EXTENSION}
              autoComplete="tel-extension"
              value={extension}
              onChange={setExtension}
              error={checked && !isExtension ? _("profile.phone.extension.wrong") : undefined}
            />
          </div>
          <Primary item={item} value={primary} onChange={setPrimary}>
            {_("profile.phones.primary")}
          </Primary>
        </>
      )}
    </EditDialog>
  );
}
