/** The search button, `Ctrl K`, and the palette, which is loaded at first use. */
import { useLingui } from "@lingui/react";
import { loadTerms } from "@pavise/i18n/contract/load.ts";
import { speakMore } from "@pavise/i18n/Language.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { IconSearch } from "@pavise/ui/icons.tsx";
import { PaletteComing } from "@pavise/ui/PaletteComing.tsx";
import { lazy, Suspense, useState } from "react";
import type { PlaceGroup } from "./places.ts";
import styles from "./frame.module.css";

const fetched = () => import("./Commands.tsx");
// The titles of all calls are in the reader's language before they are searched.
const Commands = lazy(async () => {
  const [module] = await Promise.all([fetched(), speakMore(loadTerms)]);
  return { default: module.Commands };
});

/** The button. Hovering or focusing it already loads the palette. */
export function FindButton({ onPress }: { onPress: () => void }) {
  const { _ } = useLingui();
  return (
    <Button kind="quiet" className={styles.search} onPress={onPress} onHoverStart={() => void fetched()}>
      <IconSearch /> <span>{_("Find or do anything")}</span> <kbd className={styles.keys}>Ctrl K</kbd>
    </Button>
  );
}

type FindProps = { open: boolean; onOpenChange: (open: boolean) => void; groups: readonly PlaceGroup[] };

/** The palette: its field is there at once, and the typed text is searched as soon as the palette is loaded. */
export function Find({ open, onOpenChange, groups }: FindProps) {
  const { _ } = useLingui();
  // The element that had the focus before. The palette itself knows only the stand-in field.
  const [wanted, setWanted] = useState<{ readonly from: Element | null }>();
  const [typed, setTyped] = useState("");
  if (open && wanted === undefined) setWanted({ from: document.activeElement });
  function close() {
    setTyped("");
    onOpenChange(false);
    requestAnimationFrame(() => {
      if (document.activeElement === document.body && wanted?.from instanceof HTMLElement) wanted.from.focus();
    });
  }
  if (wanted === undefined) return null;
  const placeholder = _("A page, something to do, a name, an address or an id");
  const coming = open ? (
    <PaletteComing typed={typed} onTyped={setTyped} onClose={close} placeholder={placeholder} />
  ) : null;
  return (
    <Suspense fallback={coming}>
      <Commands
        open={open}
        begin={typed}
        onOpenChange={(next) => (next ? onOpenChange(true) : close())}
        groups={groups}
        placeholder={placeholder}
      />
    </Suspense>
  );
}
