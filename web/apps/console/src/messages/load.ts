// What the console and the pages around signing in say. The English text is the key of its translations.
import type { LocaleId } from "@pavise/i18n/locale.ts";
import type { Messages } from "@lingui/core";

const loaders: Readonly<Record<LocaleId, () => Promise<{ messages: Messages }>>> = {
  "en-US": () => import("./en-US.po"),
  "es-US": () => import("./es-US.po"),
  "en-CA": () => import("./en-CA.po"),
  "fr-CA": () => import("./fr-CA.po"),
};

/** The messages of a locale. */
export const load = (locale: LocaleId) => loaders[locale]();
