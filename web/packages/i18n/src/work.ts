// The messages of the shared components that only the console has: grids, the palette, numbers. A member's first visit does
// without them.
import type { MessageLoader } from "./Language.tsx";
import type { LocaleId } from "./locale.ts";

const loaders: Readonly<Record<LocaleId, MessageLoader>> = {
  "en-US": () => import("./ui/work/en-US.po"),
  "es-US": () => import("./ui/work/es-US.po"),
  "en-CA": () => import("./ui/work/en-CA.po"),
  "fr-CA": () => import("./ui/work/fr-CA.po"),
};

/** The messages in a locale. */
export const loadWork: MessageLoader = (locale) => loaders[locale](locale);
