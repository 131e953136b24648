// The contract's terms in other languages: labels of fields, statuses, titles of calls. The keys are the English words.
// `<domain>/es.json` and `<domain>/fr.json` are data: a domain's terms stand in its folder, those of several in `shared`, and
// those that the navigation shows in `headings`, which a first page loads alone.
import type { Messages } from "@lingui/core";
import type { LocaleId } from "../locale.ts";

/** The terms of one file, or of one language. */
export type Terms = Readonly<Record<string, string>>;

/** The folder of the terms that the navigation shows. */
export const HEADINGS = "headings";

const files = import.meta.glob<Terms>("./*/*.json", { import: "default" });

/** The languages that are translated into. */
export const LANGUAGES: readonly string[] = [...new Set(Object.keys(files).map(languageOf))].toSorted();

/** The terms of a language by folder: a domain, `shared`, or `headings`. */
export async function termsIn(
  language: string,
  wanted: (folder: string) => boolean = () => true,
): Promise<Readonly<Record<string, Terms>>> {
  const own = Object.entries(files).filter(([path]) => languageOf(path) === language && wanted(folderOf(path)));
  return Object.fromEntries(await Promise.all(own.map(async ([path, load]) => [folderOf(path), await load()])));
}

/** The terms of the navigation in a locale's language. English needs none. */
export const loadHeadings = (locale: LocaleId) => dictionary(locale, (folder) => folder === HEADINGS);

/** All other terms: whatever shows a record, a form or a call needs them. */
export const loadTerms = (locale: LocaleId) => dictionary(locale, (folder) => folder !== HEADINGS);

async function dictionary(locale: LocaleId, wanted: (folder: string) => boolean): Promise<{ messages: Messages }> {
  const [language = ""] = locale.split("-");
  const terms = Object.values(await termsIn(language, wanted)).flatMap((folder) => Object.entries(folder));
  // A compiled message is a list of its parts: these messages have one part.
  return { messages: Object.fromEntries(terms.map(([term, text]) => [term, [text]])) };
}

/** `./orders/fr.json` is of `orders`. */
function folderOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** `./orders/fr.json` is French: `fr`. */
function languageOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".json".length);
}
