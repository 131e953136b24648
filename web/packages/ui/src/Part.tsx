/** A part of a page: its heading with a rule under it, what can be done with all of it at the end of that line, and what it says. */
import type { ReactNode } from "react";
import { Boundary } from "./Boundary.tsx";
import styles from "./Part.module.css";

export type PartProps = {
  /** The heading's id in the page: the part is named by it. */
  id: string;
  title: ReactNode;
  /** Stands where the heading's line ends. */
  end?: ReactNode;
  children: ReactNode;
};

/** The part. What it says is set with the classes of `Part.module.css`. */
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
