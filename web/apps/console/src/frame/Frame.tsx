/** The frame of the console: where one can go, who is signed in, what can be done by keyboard. */
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { LOCALES, LOCALE_NAMES } from "@pavise/i18n/locale.ts";
import { key } from "@pavise/i18n/key.ts";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { Button, IconButton } from "@pavise/ui/Button.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { IconGlobe, IconKeyboard, IconMoon, IconSearch, IconSun } from "@pavise/ui/icons.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Menu, MenuItem } from "@pavise/ui/Menu.tsx";
import { Shell } from "@pavise/ui/Shell.tsx";
import { Strip, useOnline } from "@pavise/ui/Strip.tsx";
import { useMemo, useState, type ReactNode } from "react";
import { useConsole } from "../console/console.ts";
import { realmName } from "../contract/operation.ts";
import { entityPath } from "../contract/screens.ts";
import { listName, useViews, viewPath } from "../list/views.ts";
import { useAddress } from "./address.ts";
import { Acting } from "./Acting.tsx";
import { Commands } from "./Commands.tsx";
import { useKeys } from "./keys.ts";
import { placesOf, type PlaceGroup } from "./places.ts";
import { useTheme } from "./theme.ts";
import console from "../console/console.module.css";
import styles from "./frame.module.css";

/** The frame around every page of somebody who is signed in. */
export function Frame({ children }: { children: ReactNode }) {
  const { _ } = useLingui();
  const w = useWords();
  const known = useConsole();
  const { pathname, search, go } = useAddress();
  const groups = useMemo(() => placesOf(known), [known]);
  const saved = useSaved();
  const found = useMemo(() => (saved.length === 0 ? groups : [{ heading: key("Saved views"), places: saved }, ...groups]), [saved, groups]);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const { theme, toggle } = useTheme();
  const places = groups.flatMap((group) => group.places);
  useKeys({
    "Ctrl K": () => setPalette(true),
    "/": () => setPalette(true),
    "?": () => setHelp(true),
    "g h": () => go("/"),
    "g S": () => go("/security"),
    t: toggle,
    ...Object.fromEntries(places.flatMap(({ key: letter, path }) => (letter === undefined ? [] : [[`g ${letter}`, () => go(path)]]))),
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
            : [{ heading: _("Saved views"), entries: saved.map(({ id, path, label, list }) => ({ href: path, label, current: pathname === list && search["view"] === id })) }]),
          ...groups.map(({ heading, places: inside }) => ({
            heading: w(heading),
            entries: inside.map(({ path, label }) => ({
              href: path,
              label: w(label),
              current: (pathname === path || pathname.startsWith(`${path}/`)) && !saved.some(({ id, list }) => list === path && id === search["view"]),
            })),
          })),
        ]}
        notices={<Notices />}
        bar={
          <div className={styles.bar}>
            <Button kind="quiet" className={styles.search} onPress={() => setPalette(true)}>
              <IconSearch /> <span>{_("Find or do anything")}</span> <kbd className={styles.keys}>Ctrl K</kbd>
            </Button>
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
      <Commands open={palette} onOpenChange={setPalette} groups={found} />
      <Keyboard open={help} onOpenChange={setHelp} groups={groups} />
    </>
  );
}

/** The saved views as places: one's own, and those that staff share. */
function useSaved() {
  const { contract } = useConsole();
  const { views } = useViews();
  return useMemo(
    () =>
      views.flatMap((view) => {
        const entity = contract.entities.find((one) => listName(one) === view.list);
        return entity === undefined ? [] : [{ id: view.id, path: viewPath(entity, view), label: view.name, list: entityPath(entity) }];
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
  const online = useOnline();
  return (
    <>
      {online ? null : <Strip tone="warning">{_("You are offline. You can look at what is here; changes wait until you are back.")}</Strip>}
      <Acting />
    </>
  );
}

function Languages() {
  const { _ } = useLingui();
  const { locale, choose } = useLanguage();
  return (
    <Menu
      label={_("Language")}
      trigger={
        <IconButton label={_("Language")}>
          <IconGlobe />
        </IconButton>
      }
      selected={[locale]}
      onSelect={(keys) => {
        const picked = LOCALES.find((one) => one !== locale && keys.has(one));
        if (picked !== undefined) choose(picked);
      }}
    >
      {LOCALES.map((one) => (
        <MenuItem key={one} id={one} label={LOCALE_NAMES[one]} />
      ))}
    </Menu>
  );
}

/** Which keys there are. */
function Keyboard({ open, onOpenChange, groups }: { open: boolean; onOpenChange: (open: boolean) => void; groups: readonly PlaceGroup[] }) {
  const { _ } = useLingui();
  const w = useWords();
  const keys: readonly (readonly [string, string])[] = [
    ["Ctrl K  /", _("Find or do anything")],
    ["g h", _("Home")],
    ["g S", _("Security")],
    ...groups.flatMap(({ places }) => places.flatMap(({ key: letter, label }) => (letter === undefined ? [] : [[`g ${letter}`, w(label)] as const]))),
    ["j k", _("Next and previous row")],
    ["x", _("Tick the row")],
    ["Enter", _("Open the row")],
    ["t", _("Light or dark")],
    ["?", _("This list")],
  ];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={_("Keyboard")}>
      <dl className={console.kbd}>
        {keys.flatMap(([pressed, what]) => [<dt key={pressed}>{pressed}</dt>, <dd key={`${pressed} what`}>{what}</dd>])}
      </dl>
    </Dialog>
  );
}
