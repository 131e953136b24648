// The console's messages. The English text is the key of its translations.
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { loadWork } from "@pavise/i18n/work.ts";
import { loadSession } from "@pavise/session/messages.ts";
import type { Messages } from "@lingui/core";

const loaders: Readonly<Record<LocaleId, () => Promise<{ messages: Messages }>>> = {
  "en-US": () => import("./en-US.po"),
  "es-US": () => import("./es-US.po"),
  "en-CA": () => import("./en-CA.po"),
  "fr-CA": () => import("./fr-CA.po"),
};

/** The messages of a locale, with those of the sign-in pages and of the components that the console alone has. */
export async function load(locale: LocaleId): Promise<{ messages: Messages }> {
  const [own, session, work] = await Promise.all([loaders[locale](), loadSession(locale), loadWork(locale)]);
  return { messages: { ...work.messages, ...session.messages, ...own.messages } };
}
