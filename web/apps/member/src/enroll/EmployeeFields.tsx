// The fields of the employee: the name, the addresses, the work, the rhythm of the pay.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { CountryCode } from "@pavise/schema/pavise/common/v1/place_pb";
import { JobTitle } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import type { GroupPayPeriod } from "@pavise/schema/pavise/groups/v1/group_part_pb";
import { TextField, type TextFieldProps } from "@pavise/ui/Field.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { regionChoices, regionName } from "../app/regions.ts";
import type { Employee, Line, Wrong } from "./employee.ts";
import frame from "../app/Page.module.css";

/** The path of each field in the request, and its greatest length. */
const FIELDS: Readonly<Record<Line, { name: string; maxLength?: number }>> = {
  firstName: { name: "personal_info.first_name", maxLength: LENGTHS["orders.v1.PersonalInfo.first_name"] },
  lastName: { name: "personal_info.last_name", maxLength: LENGTHS["orders.v1.PersonalInfo.last_name"] },
  email: { name: "personal_info.email", maxLength: LENGTHS["members.v1.ProfileEmail.address"] },
  phone: { name: "personal_info.phone_number", maxLength: LENGTHS["orders.v1.PersonalInfo.phone_number"] },
  address1: { name: "address.address1", maxLength: LENGTHS["common.v1.Address.address1"] },
  address2: { name: "address.address2", maxLength: LENGTHS["common.v1.Address.address2"] },
  city: { name: "address.city", maxLength: LENGTHS["common.v1.Address.city"] },
  postalCode: { name: "address.postal_code" },
};

/** The job titles in the order of the contract; the first is none. */
const TITLES = Object.values(JobTitle).filter((title): title is keyof typeof JobTitle => typeof title === "string");

export type EmployeeFieldsProps = {
  employee: Employee;
  onChange: (part: Partial<Employee>) => void;
  wrong: Wrong;
  /** The region of the postal code, if it is another one than the chosen region. */
  elsewhere: string | undefined;
  country: CountryCode;
  /** The rhythms of pay; the employee chooses where there are several. */
  periods: readonly GroupPayPeriod[];
};

/** The fields. */
export function EmployeeFields(props: EmployeeFieldsProps) {
  const { _ } = useLingui();
  const { employee, onChange, wrong, periods } = props;
  const line = useLine(props);
  return (
    <>
      <div className={frame.pair}>
        <TextField label={_("details.firstName")} autoComplete="given-name" {...line("firstName")} />
        <TextField label={_("details.lastName")} autoComplete="family-name" {...line("lastName")} />
      </div>
      <div className={frame.pair}>
        <TextField label={_("account.email")} type="email" autoComplete="email" {...line("email")} />
        <TextField label={_("details.phone")} optional type="tel" autoComplete="tel" {...line("phone")} />
      </div>
      <AddressFields {...props} />
      <NativeSelect
        label={_("enroll.job")}
        name="job_title"
        choices={TITLES.map((id) => ({ id, label: _(`enroll.job.${id}`) }))}
        value={employee.jobTitle}
        onChange={(jobTitle) => onChange({ jobTitle })}
      />
      {periods.length > 1 ? (
        <NativeSelect
          label={_("enroll.period")}
          name="pay_period_id"
          choices={periods.map(({ id, name, deductionsPerYear: count }) => ({
            id,
            label: _("enroll.period.choice", { name, count }),
          }))}
          value={employee.payPeriodId || null}
          onChange={(payPeriodId) => onChange({ payPeriodId })}
          error={wrong.payPeriodId === undefined ? undefined : _(wrong.payPeriodId)}
        />
      ) : null}
    </>
  );
}

/** The properties of a field of one line. */
function useLine({ employee, onChange, wrong }: EmployeeFieldsProps) {
  const { _ } = useLingui();
  return (field: Line): Pick<TextFieldProps, "value" | "onChange" | "error" | "name" | "maxLength"> => ({
    ...FIELDS[field],
    value: employee[field],
    onChange: (typed) => onChange({ [field]: typed } satisfies Partial<Record<Line, string>>),
    error: wrong[field] === undefined ? undefined : _(wrong[field]),
  });
}

/** Where the employee lives, in the employer's country. A postal code of another region shows its error at that field. */
function AddressFields(props: EmployeeFieldsProps) {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { employee, onChange, wrong, elsewhere, country } = props;
  const line = useLine(props);
  const canadian = country === CountryCode.CAN;
  const there = elsewhere === undefined ? undefined : regionName(elsewhere, locale);
  return (
    <>
      <TextField label={_("details.address1")} autoComplete="address-line1" {...line("address1")} />
      <TextField label={_("details.address2")} optional autoComplete="address-line2" {...line("address2")} />
      <TextField label={_("details.city")} autoComplete="address-level2" {...line("city")} />
      <div className={frame.pair}>
        <NativeSelect
          label={_(canadian ? "profile.province" : "profile.state")}
          name="address.locality"
          choices={regionChoices(locale, country)}
          value={employee.region || null}
          onChange={(region) => onChange({ region })}
          error={wrong.region === undefined ? undefined : _(wrong.region)}
        />
        <TextField
          label={_(canadian ? "details.postalCode" : "details.zip")}
          autoComplete="postal-code"
          inputMode={canadian ? "text" : "numeric"}
          {...line("postalCode")}
          {...(there === undefined
            ? {}
            : { error: _("profile.postalCode.region", { there, region: regionName(employee.region, locale) }) })}
        />
      </div>
    </>
  );
}
