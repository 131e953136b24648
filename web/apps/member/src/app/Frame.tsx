// The frame of the shop's pages: the header, the choice of language and theme.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { LOCALE_NAMES, LOCALES, type LocaleId } from "@pavise/i18n/locale.ts";
import { useKeeper, useSessionState } from "@pavise/session/Session.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { IconGlobe, IconMoon, IconSun } from "@pavise/ui/icons.tsx";
import { NativeIconButton } from "@pavise/ui/Native.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { Strip, useOnline } from "@pavise/ui/Strip.tsx";
import { TestClockStrip } from "@pavise/ui/TestClockStrip.tsx";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { isDark, turnTheme } from "./theme.ts";
import { RouterLink } from "./RouterLink.tsx";
import styles from "./Page.module.css";

/** The logo: the shield and the name. */
export function Brand() {
  return (
    <>
      <svg className={styles.mark} width="22" height="26" viewBox="0 0 22 26" fill="none" aria-hidden focusable="false">
        <path
          d="M2 2.5h18v11c0 5-3.4 8.8-9 11-5.6-2.2-9-6-9-11v-11Z"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
        />
        <path d="M11 3v20.5" stroke="currentColor" strokeWidth="3" />
      </svg>
      <span>Pavise</span>
    </>
  );
}

/** Strips over every page: while the browser is offline, typed text stays; where the test clock moved the day, that day. */
export function Notices() {
  const { _ } = useLingui();
  return (
    <>
      {useOnline() ? null : <Strip tone="danger">{_("frame.offline")}</Strip>}
      <TestClockStrip />
    </>
  );
}

/** The header of the shop. */
export function Site({ children }: { children: ReactNode }) {
  const { _ } = useLingui();
  const { status } = useSessionState();
  return (
    <div className={styles.site}>
      <header className={styles.header}>
        <RouterLink href="/" className={styles.brand}>
          <Brand />
        </RouterLink>
        <Languages />
        <Themes />
        {status === "signedIn" ? (
          <RouterLink kind="quiet" href="/home">
            {_("frame.account")}
          </RouterLink>
        ) : (
          <RouterLink kind="quiet" href="/sign-in">
            {_("frame.signIn")}
          </RouterLink>
        )}
      </header>
      <Notices />
      <Main>{children}</Main>
      <footer className={styles.footer}>
        <span>{_("frame.demo")}</span>
      </footer>
    </div>
  );
}

/** The page. After navigation it starts at its top, and its heading takes the focus. */
function Main({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    window.scrollTo(0, 0);
  }, [pathname]);
  return (
    <main id="page" tabIndex={-1} className={styles.main}>
      {children}
    </main>
  );
}

/** Chooses the language. It is the one of the member's profile, too. */
export function Languages() {
  const { _ } = useLingui();
  const { locale, choose } = useLanguage();
  const keeper = useKeeper();
  const queries = useQueryClient();
  function change(wanted: LocaleId) {
    choose(wanted);
    // Its code is no part of a first visit. A choice that is not saved still holds for this browser.
    if (keeper.state().status === "signedIn")
      import("../profile/language.ts").then(
        ({ saveLanguage }) => saveLanguage(keeper, queries, wanted),
        () => undefined,
      );
  }
  return (
    <NativeSelect
      label={_("frame.language")}
      icon={<IconGlobe size={18} />}
      choices={LOCALES.map((id) => ({ id, label: LOCALE_NAMES[id] }))}
      value={locale}
      onChange={change}
    />
  );
}

/** Light or dark; the system's theme until the visitor chooses one. */
export function Themes() {
  const { _ } = useLingui();
  const [dark, setDark] = useState(isDark);
  function turn() {
    turnTheme(dark ? "light" : "dark");
    setDark(!dark);
  }
  return (
    <NativeIconButton label={_(dark ? "frame.light" : "frame.dark")} onPress={turn}>
      {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </NativeIconButton>
  );
}
