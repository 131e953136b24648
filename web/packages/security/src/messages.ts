// The messages of the security pages, the same for members and staff.
import type { LocaleId } from "@pavise/i18n/locale.ts";
import type { Messages } from "@lingui/core";

const loaders: Readonly<Record<LocaleId, () => Promise<{ messages: Messages }>>> = {
  "en-US": () => import("./messages/en-US.po"),
  "es-US": () => import("./messages/es-US.po"),
  "en-CA": () => import("./messages/en-CA.po"),
  "fr-CA": () => import("./messages/fr-CA.po"),
};

/** The messages of a locale. */
export const loadSecurity = (locale: LocaleId) => loaders[locale]();
