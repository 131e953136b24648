// The messages of the sign-in pages. The English text is the key of its translations.
import type { LocaleId } from "@pavise/i18n/locale.ts";
import type { Messages } from "@lingui/core";

const loaders: Readonly<Record<LocaleId, () => Promise<{ messages: Messages }>>> = {
  "en-US": () => import("./messages/en-US.po"),
  "es-US": () => import("./messages/es-US.po"),
  "en-CA": () => import("./messages/en-CA.po"),
  "fr-CA": () => import("./messages/fr-CA.po"),
};

/** The messages of a locale; an app loads them together with its own. */
export const loadSession = (locale: LocaleId) => loaders[locale]();
