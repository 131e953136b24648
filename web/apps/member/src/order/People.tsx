// The people to cover besides the buyer.
import { useLingui } from "@lingui/react";
import { Button } from "@pavise/ui/Button.tsx";
import { DateField } from "@pavise/ui/DateField.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { IconPlus } from "@pavise/ui/icons.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { wrongName } from "../app/names.ts";
import type { Person } from "../app/draft.tsx";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";

export type PeopleProps = {
  people: readonly Person[];
  onChange: (people: readonly Person[]) => void;
  most: number;
  /** Users of a business plan instead of a family. */
  business: boolean;
  /** The relations that can be covered; undefined for all. */
  relations?: ReadonlySet<string> | undefined;
  /** Whether missing input is shown as an error. */
  checked: boolean;
  /** The path of the people in the request. */
  path?: string;
};

/** The people in order. */
export function People(props: PeopleProps) {
  const { people, onChange, most, business, relations, checked, path = "order.authorized_users" } = props;
  const { _ } = useLingui();
  const kinds = business
    ? [{ id: "NORMAL_USER", label: _("people.user") }]
    : [
        { id: "SPOUSE", label: _("people.spouse"), disabled: people.some(({ type }) => type === "SPOUSE") },
        { id: "DEPENDENT", label: _("people.dependent") },
      ].filter(({ id }) => relations?.has(id) ?? true);
  const free = kinds.find((kind) => !("disabled" in kind && kind.disabled));
  const change = (at: number, part: Partial<Person>) =>
    onChange(people.map((person, index) => (index === at ? { ...person, ...part } : person)));
  const faultOf = (name: string) => {
    const fault = checked ? wrongName(name) : undefined;
    return fault === undefined ? undefined : _(fault);
  };
  function add(type: string) {
    onChange([...people, { key: crypto.randomUUID(), firstName: "", lastName: "", type, birthDate: null }]);
  }
  return (
    <Part id="people" title={_("people.title")}>
      <p className={page.soft}>{_("people.lead", { count: most })}</p>
      {people.map((person, index) => (
        <fieldset key={person.key} className={page.form}>
          <legend className={page.name}>{_("people.person", { number: index + 1 })}</legend>
          <div className={frame.pair}>
            <TextField
              label={_("details.firstName")}
              name={`${path}[${index}].first_name`}
              maxLength={LENGTHS["orders.v1.AuthorizedUser.first_name"]}
              value={person.firstName}
              onChange={(firstName) => change(index, { firstName })}
              error={faultOf(person.firstName)}
            />
            <TextField
              label={_("details.lastName")}
              name={`${path}[${index}].last_name`}
              maxLength={LENGTHS["orders.v1.AuthorizedUser.last_name"]}
              value={person.lastName}
              onChange={(lastName) => change(index, { lastName })}
              error={faultOf(person.lastName)}
            />
          </div>
          <div className={frame.pair}>
            <NativeSelect
              label={_("people.kind")}
              name={`${path}[${index}].type`}
              choices={kinds}
              value={person.type}
              onChange={(type) => change(index, { type })}
            />
            <DateField
              label={_("people.birthDate")}
              name={`${path}[${index}].birth_date`}
              optional
              value={person.birthDate}
              onChange={(birthDate) => change(index, { birthDate })}
            />
          </div>
          <div className={page.actions}>
            <Button kind="quiet" onPress={() => onChange(people.filter((one) => one.key !== person.key))}>
              {_("people.remove")}
            </Button>
          </div>
        </fieldset>
      ))}
      {people.length < most && free !== undefined ? (
        <div className={page.actions}>
          <Button onPress={() => add(free.id)}>
            <IconPlus />
            {_("people.add")}
          </Button>
        </div>
      ) : null}
    </Part>
  );
}
