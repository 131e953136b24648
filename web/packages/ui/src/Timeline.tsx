/** What was done to a record, newest first; and what a change made of it. */
import { useLingui } from "@lingui/react";
import type { ReactNode } from "react";
import { DateTime } from "./Value.tsx";
import styles from "./Notice.module.css";

/** Something that was done. */
export type TimelineEvent = {
  id: string;
  action: string;
  at: Date | null;
  who?: ReactNode;
  /** What it changed. */
  more?: ReactNode;
};

/** Events, one under the other. */
export function Timeline({ events, label }: { events: readonly TimelineEvent[]; label: string }) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {events.map((event, index) => (
        <li key={event.id} className={styles.event} data-current={index === 0 ? "" : undefined}>
          <span className={styles.knot} aria-hidden />
          <div>
            <div className={styles.what}>
              <span className={styles.action}>{event.action}</span>
              <span className={styles.when}>
                <DateTime at={event.at} />
              </span>
            </div>
            {event.who ? <div className={styles.who}>{event.who}</div> : null}
            {event.more ? <div className={styles.more}>{event.more}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A value that changed. Undefined is that there was none, or is none any more. */
export type Change = { name: string; before?: ReactNode; after?: ReactNode };

/** Before and after, name by name. */
export function Diff({ changes, before, after }: { changes: readonly Change[]; before?: string; after?: string }) {
  const { _ } = useLingui();
  const none = <span className={styles.none}>–</span>;
  return (
    <table className={styles.diff}>
      <thead>
        <tr>
          <th scope="col">{_("ui.diff.what")}</th>
          <th scope="col">{before ?? _("ui.diff.before")}</th>
          <th scope="col">{after ?? _("ui.diff.after")}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.name}>
            <th scope="row">{change.name}</th>
            <td>{change.before === undefined ? none : <del className={styles.before}>{change.before}</del>}</td>
            <td>{change.after === undefined ? none : <ins className={styles.after}>{change.after}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
