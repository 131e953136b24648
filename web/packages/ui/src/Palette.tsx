/** The command palette: finds places, actions and records by typing. */
import { useLingui } from "@lingui/react";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Dialog } from "react-aria-components/Dialog";
import { Input } from "react-aria-components/Input";
import { Header, Menu, MenuItem, MenuSection } from "react-aria-components/Menu";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { SearchField } from "react-aria-components/SearchField";
import { classes } from "./classes.ts";
import { IconSearch } from "./icons.tsx";
import dialog from "./Dialog.module.css";
import list from "./List.module.css";
import styles from "./Palette.module.css";

/** An entry of the palette. */
export type PaletteItem = {
  id: string;
  label: string;
  detail?: string;
  keys?: string;
  /** Further words that find it. */
  words?: string;
  run: () => void;
};

export type PaletteGroup = { id: string; label: string; items: readonly PaletteItem[] };

export type PaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  groups: readonly PaletteGroup[];
  /** Called with the typed text, for a search on the server. Groups with results carry them as items. */
  onSearch?: (typed: string) => void;
  /** The initial text. */
  begin?: string;
  placeholder?: string;
  hint?: ReactNode;
};

/** The most entries shown of a group; longer text narrows it. */
const SHOWN = 8;

/** The score of a text for the typed words; 0 for no match. Every word must occur, better at the start of a word. */
export function score(text: string, typed: string): number {
  const inside = text.toLocaleLowerCase();
  let sum = 1;
  for (const word of typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)) {
    const at = inside.indexOf(word);
    if (at < 0) return 0;
    sum += at === 0 ? 4 : /[\s./_-]/.test(inside[at - 1] ?? " ") ? 3 : 1;
  }
  return sum;
}

/** The command palette. */
export function Palette({ open, onOpenChange, ...rest }: PaletteProps) {
  const { _ } = useLingui();
  return (
    <ModalOverlay isOpen={open} onOpenChange={onOpenChange} isDismissable className={classes(dialog.veil, styles.veil)}>
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label={_("ui.palette")} className={styles.dialog ?? ""}>
          <Finder {...rest} onOpenChange={onOpenChange} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The typed text is kept while the palette is open. */
function Finder({ onOpenChange, groups, onSearch, begin = "", placeholder, hint }: Omit<PaletteProps, "open">) {
  const { _ } = useLingui();
  const [typed, setTyped] = useState(begin);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => onSearch?.(typed), [typed, onSearch]);
  // The caret goes to the end of the initial text, so that typing continues.
  useEffect(() => field.current?.setSelectionRange(field.current.value.length, field.current.value.length), []);
  const found = useMemo(() => search(groups, typed), [groups, typed]);
  function run(id: string) {
    const item = found.flatMap((group) => group.items).find((one) => one.id === id);
    onOpenChange(false);
    item?.run();
  }
  /** Text typed before the palette was loaded highlights no entry, so Enter takes the first. */
  function runFirst() {
    const first = found[0]?.items[0];
    const highlighted = field.current?.getAttribute("aria-activedescendant");
    // New results can remove the entry that the field still names.
    if (first && !(highlighted && document.getElementById(highlighted))) run(first.id);
  }
  return (
    <>
      <Autocomplete inputValue={typed} onInputChange={setTyped}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened to be typed into */}
        <SearchField autoFocus aria-label={_("ui.palette")} className={styles.search ?? ""} onSubmit={runFirst}>
          <IconSearch />
          <Input ref={field} className={styles.input ?? ""} placeholder={placeholder ?? _("ui.palette.placeholder")} />
        </SearchField>
        <Menu
          aria-label={_("ui.palette")}
          className={styles.list ?? ""}
          onAction={(key) => run(String(key))}
          renderEmptyState={() => <div className={list.nothing}>{_("ui.nothing")}</div>}
        >
          {found.map((group) => (
            <MenuSection key={group.id} id={group.id}>
              <Header className={list.heading ?? ""}>{group.label}</Header>
              {group.items.map((item) => (
                <MenuItem key={item.id} id={item.id} textValue={item.label} className={list.item ?? ""}>
                  <span>{item.label}</span>
                  {item.keys ? <kbd className={list.keys}>{item.keys}</kbd> : <span />}
                  {item.detail ? <span className={list.detail}>{item.detail}</span> : null}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Autocomplete>
      <div className={styles.hint}>{hint ?? _("ui.palette.hint")}</div>
    </>
  );
}

function search(groups: readonly PaletteGroup[], typed: string): PaletteGroup[] {
  return groups
    .map((group) => {
      const scored = group.items
        .map((item) => ({ item, points: score(`${item.label} ${item.words ?? ""} ${item.detail ?? ""}`, typed) }))
        .filter(({ points }) => points > 0);
      scored.sort((one, other) => other.points - one.points);
      return { ...group, items: scored.slice(0, SHOWN).map(({ item }) => item) };
    })
    .filter((group) => group.items.length > 0);
}
