// Sets a language: loads its messages, and provides it to the components below.
import { i18n, type Messages } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { keepLocale, visitorLocale, type LocaleId } from "./locale.ts";

// The build leaves out messages that are their own key: they have nothing to fill in.
if (import.meta.env.PROD) i18n.setMessagesCompiler((key) => [key]);

/** Loads the messages of an app, or of a part of it. */
export type MessageLoader = (locale: LocaleId) => Promise<{ messages: Messages }>;

/** The messages of the shared components. */
const components: Readonly<Record<LocaleId, MessageLoader>> = {
  "en-US": () => import("./ui/en-US.po"),
  "es-US": () => import("./ui/es-US.po"),
  "en-CA": () => import("./ui/en-CA.po"),
  "fr-CA": () => import("./ui/fr-CA.po"),
};

/** The loaded message parts besides the app's first, loaded again for each new language. */
const further = new Set<MessageLoader>();

/** Loads the messages of an app in a locale, and activates the locale. */
export async function speak(locale: LocaleId, load: MessageLoader): Promise<void> {
  const parts = await Promise.all([...further, components[locale], load].map((part) => part(locale)));
  const messages: Messages = Object.assign({}, ...parts.map((part) => part.messages));
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
}

type Chosen = { locale: LocaleId; choose: (locale: LocaleId) => void };
const LanguageContext = createContext<Chosen | null>(null);

/** Loads the messages of a part of the app, once. */
export async function speakMore(load: MessageLoader): Promise<void> {
  if (further.has(load)) return;
  const { messages } = await load(i18n.locale as LocaleId);
  further.add(load);
  // Earlier messages stay: the app's own words take precedence over a dictionary's.
  i18n.load(i18n.locale, { ...messages, ...i18n.messages });
}

export type LanguageProps = { load: MessageLoader; children: ReactNode };

/** Provides the visitor's language. `speak(visitorLocale(), load)` must finish before it is rendered. */
export function Language({ load, children }: LanguageProps) {
  const [locale, setLocale] = useState(visitorLocale);
  const choose = useCallback(
    (wanted: LocaleId) => {
      keepLocale(wanted);
      void speak(wanted, load).then(() => setLocale(wanted));
    },
    [load],
  );
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const chosen = useMemo(() => ({ locale, choose }), [locale, choose]);
  return (
    <LanguageContext value={chosen}>
      <I18nProvider i18n={i18n}>{children}</I18nProvider>
    </LanguageContext>
  );
}

/** The current locale, and its setter. */
export function useLanguage(): Chosen {
  const chosen = use(LanguageContext);
  if (!chosen) throw new Error("useLanguage outside of Language");
  return chosen;
}
