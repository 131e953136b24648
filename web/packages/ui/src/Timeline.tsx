/** The history of a record, newest first, and the differences of a change. */
import { useLingui } from "@lingui/react";
import type { ReactNode } from "react";
import { DateTime } from "./Value.tsx";
import styles from "./Notice.module.css";

/** An event. */
export type TimelineEvent = {
  id: string;
  action: string;
  at: Date | null;
  who?: ReactNode;
  /** Details of the event, such as its changes. */
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

/** A changed value. Undefined means that there was no value, or is none now. */
export type Change = { name: string; before?: ReactNode; after?: ReactNode };

/** Values before and after, by name. */
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
