// The contract's terms in other languages: labels of fields, statuses, titles of calls. The keys are the English words.
// `<domain>/es.json` and `<domain>/fr.json` are data: a domain's terms stand in its folder, those of several in `shared`.
import type { Messages } from "@lingui/core";
import type { LocaleId } from "../locale.ts";

/** The terms of one file, or of one language. */
export type Terms = Readonly<Record<string, string>>;

const files = import.meta.glob<Terms>("./*/*.json", { import: "default" });

/** The languages that are translated into. */
export const LANGUAGES: readonly string[] = [...new Set(Object.keys(files).map(languageOf))].toSorted();

/** The terms of a language by folder: a domain, or `shared`. */
export async function termsIn(language: string): Promise<Readonly<Record<string, Terms>>> {
  const own = Object.entries(files).filter(([path]) => languageOf(path) === language);
  return Object.fromEntries(await Promise.all(own.map(async ([path, load]) => [path.split("/")[1], await load()])));
}

/** The dictionary of a locale's language. English needs none. */
export async function loadTerms(locale: LocaleId): Promise<{ messages: Messages }> {
  const [language = ""] = locale.split("-");
  const terms = Object.values(await termsIn(language)).flatMap((folder) => Object.entries(folder));
  // A compiled message is a list of its parts: these messages have one part.
  return { messages: Object.fromEntries(terms.map(([term, text]) => [term, [text]])) };
}

/** `./orders/fr.json` is French: `fr`. */
function languageOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".json".length);
}
