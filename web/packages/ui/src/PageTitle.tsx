/** The heading of a page: it names the document, and takes the focus when the page follows another. */
import { useEffect, useRef } from "react";
import styles from "./PageTitle.module.css";
import { classes } from "./classes.ts";

export type PageTitleProps = {
  children: string;
  /** The document's title where it says more than the heading. */
  name?: string | undefined;
  className?: string | undefined;
};

/** The app's name, as its document says it at first. */
const APP = typeof document === "undefined" ? "" : document.title;

/** Whether a page was shown before: the first one leaves the focus to the browser. */
let followed = false;

/** The heading. Each step of a page has its own, so that a screen reader begins there. */
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
