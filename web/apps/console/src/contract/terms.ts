// The contract's terms that screens show, and the domains that use them. Tests compare them with the translations.
import { getOption, hasOption, type DescEnum, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { enumWords, fieldLabel, valueWords, words } from "@pavise/descform/words.ts";
import { scope_kind } from "@pavise/schema/pavise/contract/v1/options_pb";
import { HEADINGS, type Terms as Dictionary } from "@pavise/i18n/contract/load.ts";
import { plural } from "../frame/places.ts";
import { domainOf, type Contract } from "./operation.ts";

/** The folder of terms that several domains use, or a package that belongs to none. */
export const SHARED = "shared";

/** Codes are the same in every language: regions, currencies, taxes, locales, spellings that are names. */
const CODE = /^([A-Z0-9]{1,4}(_[A-Z0-9]+)?|[a-z].*|X)$/;

/** The terms of a contract in English, each with the domains that use it. */
export function termsOf(contract: Contract): Map<string, Set<string>> {
  const { operations, entities, registry } = contract;
  const terms = new Found(new Set(operations.map(({ domain }) => domain)));
  for (const { domain, title, method, kind, action, service, consequences } of operations) {
    terms.add(domain, title, words(service), ...consequences);
    // Kinds are those of the vocabulary, whichever domains use one.
    terms.add(SHARED, words(kind));
    if (action !== "") terms.add(domain, enumWords(action));
    terms.labels(method.input);
    terms.labels(method.output);
  }
  for (const { domain, title, desc, display } of entities) {
    terms.add(domain, title, plural(title));
    if (display !== undefined && display.heading !== "") terms.add(domain, display.heading);
    terms.labels(desc);
  }
  for (const type of registry) if (type.kind === "enum" && type.name.endsWith("Action")) terms.values(type);
  return terms.found;
}

/** The terms that the navigation shows, in English. */
export function headingsOf({ entities }: Contract): Set<string> {
  const listed = entities.filter(({ parent, display }) => parent === undefined && display !== undefined);
  const terms = listed.flatMap(({ title, display }) => [title, plural(title), display?.heading ?? ""]);
  return new Set(terms.filter((term) => term !== ""));
}

/** Where a term's translation belongs. */
export function folderOf(domains: ReadonlySet<string>): string {
  const [only = SHARED] = domains;
  return domains.size > 1 ? SHARED : only;
}

/** The faults of a language's files: missing, superfluous and repeated terms, and terms in a wrong file. */
export function misplaced(
  used: ReadonlyMap<string, ReadonlySet<string>>,
  folders: Readonly<Record<string, Dictionary>>,
  language: string,
  headings: ReadonlySet<string> = new Set(),
): string[] {
  const file = (folder: string) => `${folder}/${language}.json`;
  const places = new Map<string, string[]>();
  for (const [folder, terms] of Object.entries(folders))
    for (const [term, text] of Object.entries(terms))
      if (text !== "") places.set(term, [...(places.get(term) ?? []), folder]);
  const faults: string[] = [];
  for (const [term, domains] of used) {
    const found = places.get(term) ?? [];
    const belongs = headings.has(term) ? HEADINGS : folderOf(domains);
    const [only = ""] = found;
    if (found.length === 0) faults.push(`${term}: missing; it belongs in ${file(belongs)}`);
    else if (found.length > 1 || (only !== belongs && (belongs === HEADINGS || !domains.has(only))))
      faults.push(`${term}: in ${found.toSorted().map(file).join(" and in ")}; it belongs in ${file(belongs)}`);
  }
  for (const [term, found] of places)
    if (!used.has(term)) faults.push(`${term}: superfluous in ${found.map(file).join(" and in ")}`);
  return faults.toSorted();
}

class Found {
  /** The domains that use each term. */
  readonly found = new Map<string, Set<string>>();
  readonly #seen = new Set<string>();
  readonly #domains: ReadonlySet<string>;

  constructor(domains: ReadonlySet<string>) {
    this.#domains = domains;
  }

  add(domain: string, ...terms: readonly string[]): void {
    for (const term of terms) {
      if (CODE.test(term)) continue;
      this.found.set(term, (this.found.get(term) ?? new Set()).add(this.#domains.has(domain) ? domain : SHARED));
    }
  }

  /** The labels of a message's fields, and of the messages and enumerations in it. */
  labels(desc: DescMessage): void {
    if (this.#seen.has(desc.typeName)) return;
    this.#seen.add(desc.typeName);
    const domain = domainOf(desc.typeName);
    for (const field of desc.fields) {
      this.add(domain, fieldLabel(field));
      if (field.message !== undefined && desc.typeName.startsWith("pavise.")) this.labels(field.message);
      if (field.enum !== undefined) this.values(field.enum);
    }
    for (const oneof of desc.oneofs) this.add(domain, fieldLabel({ ...oneof, parent: desc } as unknown as DescField));
  }

  values(desc: DescEnum): void {
    // Reasons have sentences of their own.
    if (desc.name === "ErrorReason") return;
    for (const value of desc.values) {
      if (value.number === 0) continue;
      this.add(domainOf(desc.typeName), valueWords(value));
      // The roles of a kind of scope are texts in the contract.
      if (hasOption(value, scope_kind)) this.add(SHARED, ...getOption(value, scope_kind).roles.map(enumWords));
    }
  }
}
