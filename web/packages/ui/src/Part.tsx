/** A part of a page: an underlined heading, actions at the end of its line, and the content. */
import type { ReactNode } from "react";
import { Boundary } from "./Boundary.tsx";
import styles from "./Part.module.css";

export type PartProps = {
  /** The heading's id in the page; it names the part. */
  id: string;
  title: ReactNode;
  /** Shown at the end of the heading's line. */
  end?: ReactNode;
  children: ReactNode;
};

/** The part. Its content uses the classes of `Part.module.css`. */
export function Part({ id, title, end, children }: PartProps) {
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div className={styles.partHead}>
        <h2 id={id}>{title}</h2>
        {end}
      </div>
      <Boundary>{children}</Boundary>
    </section>
  );
}
