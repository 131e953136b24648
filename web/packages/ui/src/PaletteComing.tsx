/** Replaces the palette while it is loaded, and takes the typed text. */
import { useLingui } from "@lingui/react";
import { classes } from "./classes.ts";
import { IconSearch } from "./icons.tsx";
import dialog from "./Dialog.module.css";
import styles from "./Palette.module.css";

export type PaletteComingProps = {
  typed: string;
  onTyped: (typed: string) => void;
  onClose: () => void;
  placeholder: string;
};

/** Only the palette's field. */
export function PaletteComing({ typed, onTyped, onClose, placeholder }: PaletteComingProps) {
  const { _ } = useLingui();
  return (
    <div className={classes(dialog.veil, styles.veil)}>
      <div role="dialog" aria-modal="true" aria-label={_("ui.palette")} className={styles.modal}>
        <div className={styles.search}>
          <IconSearch />
          <input
            type="search"
            className={styles.input}
            aria-label={_("ui.palette")}
            placeholder={placeholder}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened to be typed into
            autoFocus
            value={typed}
            onChange={(event) => onTyped(event.target.value)}
            onKeyDown={(event) => (event.key === "Escape" ? onClose() : undefined)}
          />
        </div>
        <div className={styles.hint} role="status">
          {_("ui.loading")}
        </div>
      </div>
    </div>
  );
}
