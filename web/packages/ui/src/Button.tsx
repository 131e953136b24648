/** What is pressed. */
import type { ReactNode, Ref } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import { classes } from "./classes.ts";
import styles from "./Button.module.css";

/** How much weight a button has: one primary at most in a view; danger is for what cannot be taken back. */
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

export type ButtonProps = Omit<AriaButtonProps, "className" | "style" | "children"> & {
  kind?: ButtonKind;
  /** As wide as what holds it. */
  wide?: boolean;
  className?: string | undefined;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

/**
 * A button with a word on it. While `isPending` it keeps the focus, does nothing, and shows that something is going on;
 * what comes of it is said by the page.
 */
export function Button({ kind = "secondary", wide, className, children, isPending, onPress, type, ...rest }: ButtonProps) {
  const active = isPending ? { type: "button" as const } : { ...(onPress ? { onPress } : {}), type: type ?? "button" };
  return (
    <AriaButton
      {...rest}
      {...active}
      className={classes(styles.button, styles[kind], wide && styles.wide, isPending && styles.pending, className)}
    >
      {isPending ? <span className={styles.spinner} aria-hidden /> : null}
      {children}
    </AriaButton>
  );
}

export type IconButtonProps = Omit<ButtonProps, "kind" | "wide" | "aria-label"> & { label: string };

/** A button that is an icon; its label is what a screen reader says. */
export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <AriaButton {...rest} aria-label={label} className={classes(styles.button, styles.icon, className)}>
      {children}
    </AriaButton>
  );
}
