/** Links. */
import type { ReactNode, Ref } from "react";
import { Link as AriaLink, type LinkProps as AriaLinkProps } from "react-aria-components/Link";
import type { ButtonKind } from "./Button.tsx";
import { classes } from "./classes.ts";
import styles from "./Button.module.css";

export type LinkProps = Omit<AriaLinkProps, "className" | "style" | "children"> & {
  /** Looks like a button of this kind; without it, like a link in text. */
  kind?: ButtonKind;
  wide?: boolean;
  className?: string | undefined;
  children: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
};

/** A link. The router that the app gave to React Aria follows links inside the app without a page load. */
export function Link({ kind, wide, className, ...rest }: LinkProps) {
  const look = kind ? classes(styles.button, styles[kind], wide && styles.wide) : styles.link;
  return <AriaLink {...rest} className={classes(look, className)} />;
}
