// React Aria's components read and write numbers and dates in the current locale.
import type { ReactNode } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { useLanguage } from "./Language.tsx";

/** Provides the locale to React Aria's components below. */
export function Aria({ children }: { children: ReactNode }) {
  const { locale } = useLanguage();
  return <I18nProvider locale={locale}>{children}</I18nProvider>;
}
