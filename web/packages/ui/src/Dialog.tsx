/** Dialogs in front of the page. */
import { useLingui } from "@lingui/react";
import { useRef, type ReactNode } from "react";
import { Dialog as AriaDialog, Heading } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { IconButton } from "./Button.tsx";
import { classes } from "./classes.ts";
import { IconClose } from "./icons.tsx";
import { leave } from "./leave.ts";
import { useTyped } from "./typed.ts";
import styles from "./Dialog.module.css";

export { DialogTrigger } from "react-aria-components/Dialog";

export type DialogProps = {
  title: string;
  /** Whether it is open; omitted inside a DialogTrigger. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode | ((close: () => void) => ReactNode);
  /** The buttons, the most important last. */
  actions?: ReactNode | ((close: () => void) => ReactNode);
  /** For actions that cannot be undone: a click outside does not close it. */
  danger?: boolean;
  /** A click outside does not close it. */
  stays?: boolean;
  /** Its fields give way to a further step, which still needs their texts. */
  steps?: boolean;
  large?: boolean;
};

/**
 * A question, or a small form. Escape closes it, and the focus returns to its former place. Escape, the cross and a click
 * outside ask first if text was typed; its own buttons do not.
 */
export function Dialog({ title, open, onOpenChange, children, actions, danger, stays, steps, large }: DialogProps) {
  const { _ } = useLingui();
  const controlled = open === undefined ? {} : { isOpen: open };
  const typed = useTyped({ keepsGone: steps === true });
  // Whether one of the dialog's own buttons closes it.
  const decided = useRef(false);
  function change(next: boolean) {
    if (next || decided.current) onOpenChange?.(next);
    else leave(() => onOpenChange?.(false), typed.has);
  }
  const byButton = (close: () => void) => () => {
    decided.current = true;
    close();
    decided.current = false;
  };
  const changed = onOpenChange ? { onOpenChange: change } : {};
  return (
    <ModalOverlay {...controlled} {...changed} isDismissable={!danger && !stays} className={styles.veil ?? ""}>
      <Modal className={classes(styles.modal, danger && styles.danger, large && styles.large)}>
        <AriaDialog role={danger ? "alertdialog" : "dialog"} className={styles.dialog ?? ""}>
          {({ close }) => (
            <>
              <div className={styles.head}>
                <Heading slot="title" className={styles.title ?? ""}>
                  {title}
                </Heading>
                <IconButton label={_("ui.close")} onPress={close} className={styles.close}>
                  <IconClose />
                </IconButton>
              </div>
              <div className={styles.body} {...typed.on}>
                {typeof children === "function" ? children(byButton(close)) : children}
              </div>
              {actions ? (
                <div className={styles.foot}>{typeof actions === "function" ? actions(byButton(close)) : actions}</div>
              ) : null}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export type PanelProps = {
  /** The name, for screen readers. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Slides in from the end of the line instead of its start. */
  end?: boolean;
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** A panel that slides out over the page. */
export function Panel({ label, open, onOpenChange, end, children }: PanelProps) {
  const controlled = open === undefined ? {} : { isOpen: open };
  const changed = onOpenChange ? { onOpenChange } : {};
  return (
    <ModalOverlay
      {...controlled}
      {...changed}
      isDismissable
      className={classes(styles.veil, styles.edge, end && styles.end)}
    >
      <Modal className={styles.panel ?? ""}>
        <AriaDialog aria-label={label}>
          {({ close }) => <>{typeof children === "function" ? children(close) : children}</>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
