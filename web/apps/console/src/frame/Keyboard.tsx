/** The keyboard commands. */
import { useLingui } from "@lingui/react";
import { useWords } from "@pavise/i18n/words.ts";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { useConsole } from "../console/console.ts";
import { keysOf, type PlaceGroup } from "./places.ts";
import styles from "../console/console.module.css";

/** The list of the keyboard commands. */
export function Keyboard({ onClose, groups }: { onClose: () => void; groups: readonly PlaceGroup[] }) {
  const { _ } = useLingui();
  const w = useWords();
  const { caller } = useConsole();
  const keys: readonly (readonly [string, string])[] = [
    ["Ctrl K  /", _("Find or do anything")],
    ["g h", _("Home")],
    ...(caller.actor === undefined ? [["g S", _("Security")] as const] : []),
    ...groups.flatMap(({ places }) =>
      places.flatMap((place) => {
        const pressed = keysOf(place);
        return pressed === undefined ? [] : [[pressed, w(place.label)] as const];
      }),
    ),
    ["j k", _("Next and previous row")],
    ["x", _("Tick the row")],
    ["Enter", _("Open the row")],
    ["t", _("Light or dark")],
    ["?", _("This list")],
  ];
  return (
    <Dialog open onOpenChange={onClose} title={_("Keyboard")}>
      <dl className={styles.kbd}>
        {keys.flatMap(([pressed, what]) => [<dt key={pressed}>{pressed}</dt>, <dd key={`${pressed} what`}>{what}</dd>])}
      </dl>
    </Dialog>
  );
}
