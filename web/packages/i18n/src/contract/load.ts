// The contract's terms in other languages: labels of fields, statuses, titles of calls. The keys are the English
// words. es.json and fr.json are data: a name that several services share stands there once.
import type { Messages } from "@lingui/core";
import type { LocaleId } from "../locale.ts";

const dictionaries: Readonly<Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>> = {
  es: () => import("./es.json"),
  fr: () => import("./fr.json"),
};

/** The dictionary of a locale's language. English needs none. */
export async function loadTerms(locale: LocaleId): Promise<{ messages: Messages }> {
  const [language = ""] = locale.split("-");
  const terms = await dictionaries[language]?.();
  // A compiled message is a list of its parts: these messages have one part.
  return { messages: Object.fromEntries(Object.entries(terms?.default ?? {}).map(([term, text]) => [term, [text]])) };
}
