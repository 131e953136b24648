// React Aria's components read and write numbers and dates in the language that is spoken.
import type { ReactNode } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { useLanguage } from "./Language.tsx";

/** Everything below may use them. */
export function Aria({ children }: { children: ReactNode }) {
  const { locale } = useLanguage();
  return <I18nProvider locale={locale}>{children}</I18nProvider>;
}
