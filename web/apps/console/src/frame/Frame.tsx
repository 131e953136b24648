/** The frame of the console: the navigation, the caller, the keyboard commands. */
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { LOCALES, LOCALE_NAMES } from "@pavise/i18n/locale.ts";
import { key } from "@pavise/i18n/key.ts";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { useSession } from "@pavise/session/Session.tsx";
import { UnprovedEmail } from "@pavise/session/UnprovedEmail.tsx";
import { Boundary } from "@pavise/ui/Boundary.tsx";
import { IconButton } from "@pavise/ui/Button.tsx";
import { IconGlobe, IconKeyboard, IconMoon, IconSun } from "@pavise/ui/icons.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { Shell } from "@pavise/ui/Shell.tsx";
import { Strip, useOnline } from "@pavise/ui/Strip.tsx";
import { TestClockStrip } from "@pavise/ui/TestClockStrip.tsx";
import { leave } from "@pavise/ui/leave.ts";
import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";
import { useConsole } from "../console/console.ts";
import { realmName } from "../contract/operation.ts";
import { entityPath } from "../contract/screens.ts";
import { listName, useViews, viewPath } from "../list/views.ts";
import { useAddress } from "./address.ts";
import { Find, FindButton } from "./Find.tsx";
import { useKeys } from "./keys.ts";
import { keysOf, placesOf } from "./places.ts";
import { useTheme } from "./theme.ts";
import styles from "./frame.module.css";

const Acting = lazy(async () => ({ default: (await import("./Acting.tsx")).Acting }));
const Keyboard = lazy(async () => ({ default: (await import("./Keyboard.tsx")).Keyboard }));

/** The frame around every page of a signed-in caller. */
export function Frame({ children }: { children: ReactNode }) {
  const { _ } = useLingui();
  const w = useWords();
  const known = useConsole();
  const { pathname, search, go: open } = useAddress();
  const go = (path: string) => leave(() => open(path));
  const groups = useMemo(() => placesOf(known), [known]);
  const saved = useSaved();
  const found = useMemo(
    () => (saved.length === 0 ? groups : [{ heading: key("Saved views"), places: saved }, ...groups]),
    [saved, groups],
  );
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const { theme, toggle } = useTheme();
  const places = groups.flatMap((group) => group.places);
  // Impersonation does not show the other identity's sign-in methods.
  const own = known.caller.actor === undefined;
  useKeys({
    "Ctrl K": () => setPalette(true),
    "/": () => setPalette(true),
    "?": () => setHelp(true),
    "g h": () => go("/"),
    ...(own ? { "g S": () => go("/security") } : {}),
    t: toggle,
    ...Object.fromEntries(
      places.flatMap((place) => {
        const keys = keysOf(place);
        return keys === undefined ? [] : [[keys, () => go(place.path)]];
      }),
    ),
  });
  return (
    <>
      <Shell
        fixed
        home="/"
        brand={
          <>
            Pavise <span className={styles.kind}>{_("Console")}</span>
          </>
        }
        sections={[
          ...(saved.length === 0
            ? []
            : [
                {
                  heading: _("Saved views"),
                  entries: saved.map(({ id, path, label, list }) => ({
                    href: path,
                    label,
                    current: pathname === list && search["view"] === id,
                  })),
                },
              ]),
          ...groups.map(({ heading, places: inside }) => ({
            heading: w(heading),
            entries: inside.map(({ path, label }) => ({
              href: path,
              label: w(label),
              current:
                (pathname === path || pathname.startsWith(`${path}/`)) &&
                !saved.some(({ id, list }) => list === path && id === search["view"]),
            })),
          })),
        ]}
        notices={<Notices />}
        bar={
          <div className={styles.bar}>
            <FindButton onPress={() => setPalette(true)} />
            <span className={styles.end}>
              <Languages />
              <IconButton label={theme === "dark" ? _("Light theme") : _("Dark theme")} onPress={toggle}>
                {theme === "dark" ? <IconSun /> : <IconMoon />}
              </IconButton>
              <IconButton label={_("Keyboard")} onPress={() => setHelp(true)}>
                <IconKeyboard />
              </IconButton>
            </span>
          </div>
        }
        foot={<WhoAmI />}
      >
        {children}
      </Shell>
      <Find open={palette} onOpenChange={setPalette} groups={found} />
      {help ? (
        <Suspense>
          <Keyboard onClose={() => setHelp(false)} groups={groups} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Saved views as places: the caller's own, and those that staff share. */
function useSaved() {
  const { contract } = useConsole();
  const { views } = useViews();
  return useMemo(
    () =>
      views.flatMap((view) => {
        const entity = contract.entities.find((one) => listName(one) === view.list);
        return entity === undefined
          ? []
          : [{ id: view.id, path: viewPath(entity, view), label: view.name, list: entityPath(entity) }];
      }),
    [contract, views],
  );
}

function WhoAmI() {
  const { _ } = useLingui();
  const { caller } = useConsole();
  return (
    <div className={styles.who}>
      <span>{realmName(caller.realm)}</span>
      <span className={styles.whoLinks}>
        {caller.actor === undefined ? <Link href="/security">{_("Security")}</Link> : null}
        <Link href="/sign-out">{_("Sign out")}</Link>
      </span>
    </div>
  );
}

function Notices() {
  const { _ } = useLingui();
  const { caller } = useConsole();
  const online = useOnline();
  const session = useSession();
  return (
    <>
      <TestClockStrip />
      {online ? null : (
        <Strip tone="warning">
          {_("You are offline. You can look at what is here; changes wait until you are back.")}
        </Strip>
      )}
      {caller.actor === undefined ? null : (
        <Boundary>
          <Suspense>
            <Acting key={caller.identityId} />
          </Suspense>
        </Boundary>
      )}
      {session?.needsSecondFactor ? (
        <Strip tone="warning" action={<Link href="/security">{_("Security")}</Link>}>
          {_("Set up a second step to sign in with. Until then you can do nothing else.")}
        </Strip>
      ) : null}
      <Boundary>
        <UnprovedEmail />
      </Boundary>
    </>
  );
}

function Languages() {
  const { _ } = useLingui();
  const { locale, choose } = useLanguage();
  return (
    <NativeSelect
      label={_("Language")}
      icon={<IconGlobe />}
      choices={LOCALES.map((id) => ({ id, label: LOCALE_NAMES[id] }))}
      value={locale}
      onChange={choose}
    />
  );
}
