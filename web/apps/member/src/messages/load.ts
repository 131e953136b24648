// The member app's messages. The shop's load first, the rest with the first page outside the shop.
import type { Messages } from "@lingui/core";
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { loadSecurity } from "@pavise/security/messages.ts";
import { loadSession } from "@pavise/session/messages.ts";

type Loaders = Readonly<Record<LocaleId, () => Promise<{ messages: Messages }>>>;

const first: Loaders = {
  "en-US": () => import("./first/en-US.po"),
  "es-US": () => import("./first/es-US.po"),
  "en-CA": () => import("./first/en-CA.po"),
  "fr-CA": () => import("./first/fr-CA.po"),
};

const rest: Loaders = {
  "en-US": () => import("./en-US.po"),
  "es-US": () => import("./es-US.po"),
  "en-CA": () => import("./en-CA.po"),
  "fr-CA": () => import("./fr-CA.po"),
};

/** The messages of the shop, and of errors on any page. */
export const loadFirst = (locale: LocaleId) => first[locale]();

/** The messages of every other page, with those of the sign-in and security pages. */
export async function loadRest(locale: LocaleId): Promise<{ messages: Messages }> {
  const [own, session, security] = await Promise.all([rest[locale](), loadSession(locale), loadSecurity(locale)]);
  return { messages: { ...session.messages, ...security.messages, ...own.messages } };
}
