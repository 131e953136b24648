/** The heading of a page: it sets the document's title, and takes the focus after navigation. */
import { useEffect, useRef } from "react";
import styles from "./PageTitle.module.css";
import { classes } from "./classes.ts";

export type PageTitleProps = {
  children: string;
  /** The document's title, if it is longer than the heading. */
  name?: string | undefined;
  className?: string | undefined;
};

/** The app's name, from the initial title of the document. */
const APP = typeof document === "undefined" ? "" : document.title;

/** Whether a page was shown before: on the first page the browser decides the focus. */
let followed = false;

/** The heading. Each step of a page has its own, so that a screen reader starts there. */
export function PageTitle({ children, name = children, className }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = APP === "" ? name : `${name} · ${APP}`;
  }, [name]);
  useEffect(() => {
    if (followed) {
      heading.current?.focus({ preventScroll: true });
      heading.current?.scrollIntoView({ block: "nearest" });
    }
    followed = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={classes(styles.title, className)}>
      {children}
    </h1>
  );
}
