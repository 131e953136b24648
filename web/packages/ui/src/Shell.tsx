/** The frame of an app: the current place and the navigation. */
import { useLingui } from "@lingui/react";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { Link } from "react-aria-components/Link";
import { IconButton } from "./Button.tsx";
import { classes } from "./classes.ts";
import { IconClose, IconMenu } from "./icons.tsx";
import styles from "./Shell.module.css";

// Loaded on demand: only narrow windows need it.
const Panel = lazy(async () => ({ default: (await import("./Dialog.tsx")).Panel }));

/** Above this width the navigation is a side pane; otherwise it slides out (000 §2). */
export const BREAKPOINT = 1023;

/** A place to go. */
export type ShellEntry = { href: string; label: string; icon?: ReactNode; current?: boolean; count?: number | string };

/** Places that belong together. */
export type ShellSection = { heading?: string; entries: readonly ShellEntry[] };

export type ShellProps = {
  brand: ReactNode;
  home: string;
  sections: readonly ShellSection[];
  /** Shown under the places: the signed-in identity. */
  foot?: ReactNode;
  /** The bar over the page: search and actions. */
  bar?: ReactNode;
  /** Strips over everything: offline, impersonation. */
  notices?: ReactNode;
  /** The page scrolls under a fixed bar, instead of the window. */
  fixed?: boolean;
  children: ReactNode;
};

function Places({ sections }: { sections: readonly ShellSection[] }) {
  return sections.map(({ heading, entries }, index) => (
    <div key={heading ?? index} className={styles.section}>
      {heading ? <h2 className={styles.heading}>{heading}</h2> : null}
      <ul>
        {entries.map((entry) => (
          <li key={entry.href}>
            <Link
              href={entry.href}
              className={styles.entry ?? ""}
              {...(entry.current ? { "aria-current": "page" as const } : {})}
            >
              {entry.icon}
              <span>{entry.label}</span>
              {entry.count === undefined ? null : <span className={styles.count}>{entry.count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** Whether the navigation slides out. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => window.matchMedia(`(max-width: ${BREAKPOINT}px)`).matches);
  useEffect(() => {
    const width = window.matchMedia(`(max-width: ${BREAKPOINT}px)`);
    const changed = () => setNarrow(width.matches);
    width.addEventListener("change", changed);
    return () => width.removeEventListener("change", changed);
  }, []);
  return narrow;
}

/** The frame around a page. */
export function Shell({ brand, home, sections, foot, bar, notices, fixed, children }: ShellProps) {
  const { _ } = useLingui();
  const narrow = useNarrow();
  // Navigation closes the panel: it is open at one place only.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const current = sections.flatMap((section) => section.entries).find((entry) => entry.current)?.href ?? "";
  const brandLink = (
    <Link href={home} className={styles.brand ?? ""}>
      {brand}
    </Link>
  );
  return (
    <div className={classes(styles.shell, fixed && styles.fixed)}>
      <a href="#page" className={styles.skip}>
        {_("ui.skip")}
      </a>
      <div className={styles.notices}>{notices}</div>
      {narrow ? null : (
        <nav className={styles.pane} aria-label={_("ui.navigation")}>
          {brandLink}
          <div className={styles.sections}>
            <Places sections={sections} />
          </div>
          {foot ? <div className={styles.foot}>{foot}</div> : null}
        </nav>
      )}
      <div className={styles.main}>
        {narrow || bar ? (
          <header className={styles.bar}>
            {narrow ? (
              <>
                <IconButton label={_("ui.menu")} className={styles.menuButton} onPress={() => setOpenAt(current)}>
                  <IconMenu />
                </IconButton>
                <Suspense>
                  <Panel
                    label={_("ui.navigation")}
                    open={openAt === current}
                    onOpenChange={(open) => setOpenAt(open ? current : null)}
                  >
                    {(close) => (
                      <nav aria-label={_("ui.navigation")}>
                        <div className={styles.panelHead}>
                          {brandLink}
                          <IconButton label={_("ui.close")} onPress={close}>
                            <IconClose />
                          </IconButton>
                        </div>
                        <div className={styles.sections}>
                          <Places sections={sections} />
                        </div>
                        {foot ? <div className={styles.foot}>{foot}</div> : null}
                      </nav>
                    )}
                  </Panel>
                </Suspense>
              </>
            ) : null}
            <div className={styles.barWords}>{bar ?? brandLink}</div>
          </header>
        ) : null}
        <main id="page" tabIndex={-1} className={styles.page}>
          {children}
        </main>
      </div>
    </div>
  );
}
