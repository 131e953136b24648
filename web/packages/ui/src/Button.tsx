/** Buttons. */
import type { ReactNode, Ref } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import { classes } from "./classes.ts";
import styles from "./Button.module.css";

/** The weight of a button: at most one primary in a view; danger for actions that cannot be undone. */
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

export type ButtonProps = Omit<AriaButtonProps, "className" | "style" | "children"> & {
  kind?: ButtonKind;
  /** Fills the width of its container. */
  wide?: boolean;
  className?: string | undefined;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

/**
 * A button with a word on it. While `isPending` it keeps the focus, does nothing, and shows progress; the page tells
 * the result.
 */
export function Button({
  kind = "secondary",
  wide,
  className,
  children,
  isPending,
  onPress,
  type,
  ...rest
}: ButtonProps) {
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

/** An icon button; screen readers read its label. */
export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <AriaButton {...rest} aria-label={label} className={classes(styles.button, styles.icon, className)}>
      {children}
    </AriaButton>
  );
}
