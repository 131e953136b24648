// The facts that staff and other systems keep on the profile. They are shown, and not changed here.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useLingui } from "@lingui/react";
import { AccountIdentifierType, ServiceFlag, type Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { Part } from "@pavise/ui/Part.tsx";
import { DateTime, Facts } from "@pavise/ui/Value.tsx";
import { nameOf } from "../member/holdings.ts";
import page from "@pavise/ui/Part.module.css";

/** The part of the page; nothing where nothing is kept. */
export function Kept({ profile }: { profile: Profile }) {
  const { _ } = useLingui();
  const { accountIdentifiers, employeeId, serviceFlags, entitlementCreatedAt } = profile;
  const flags = serviceFlags.map((flag) => _(`profile.flag.${nameOf(ServiceFlag, flag)}`));
  const facts = [
    ...accountIdentifiers.map(({ type, value }) => ({
      name: _(`profile.number.${nameOf(AccountIdentifierType, type)}`),
      value,
    })),
    ...(employeeId === "" ? [] : [{ name: _("profile.employeeId"), value: employeeId }]),
    ...(flags.length === 0 ? [] : [{ name: _("profile.flags"), value: flags.join(", ") }]),
    ...(entitlementCreatedAt === undefined
      ? []
      : [{ name: _("profile.since"), value: <DateTime at={timestampDate(entitlementCreatedAt)} only="date" /> }]),
  ];
  if (facts.length === 0) return null;
  return (
    <Part id="kept" title={_("profile.kept")}>
      <p className={page.soft}>{_("profile.kept.lead")}</p>
      <Facts facts={facts} />
    </Part>
  );
}
