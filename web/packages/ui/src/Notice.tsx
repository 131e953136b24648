/** Notices: an empty page, information, errors. */
import { useLingui } from "@lingui/react";
import { useState, type ReactNode } from "react";
import { IconCheck, IconCopy } from "./icons.tsx";
import { NativeButton, NativeIconButton } from "./Native.tsx";
import styles from "./Notice.module.css";

export type EmptyStateProps = { title: string; children?: ReactNode; actions?: ReactNode };

/** An empty state: its cause, and the next step. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children ? <div className={styles.words}>{children}</div> : null}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}

export type NoteProps = {
  tone?: "danger" | "warning" | "info" | "good";
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  spoken?: boolean;
};

/** Information before the next step. With `spoken` a screen reader reads it at once. */
export function Note({ tone = "info", title, children, actions, spoken }: NoteProps) {
  return (
    <div className={styles.panel} data-tone={tone} {...(spoken ? { role: "alert" } : {})}>
      <p className={styles.heading}>{title}</p>
      {children ? <div className={styles.words}>{children}</div> : null}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}

export type ErrorPanelProps = {
  /** The title: what happened. */
  title: string;
  /** The advice: what to do. */
  children?: ReactNode;
  /** The request's id in the logs. */
  traceId?: string;
  onRetry?: () => void;
  retrying?: boolean;
  actions?: ReactNode;
};

/** An error: what happened, what to do, and the request's id for support. */
export function ErrorPanel({ title, children, traceId, onRetry, retrying, actions }: ErrorPanelProps) {
  const { _ } = useLingui();
  return (
    <div className={styles.panel} role="alert">
      <p className={styles.heading}>{title}</p>
      {children ? <div className={styles.words}>{children}</div> : null}
      {traceId ? (
        <p className={styles.trace}>
          <span>{_("ui.error.trace")}</span>
          <CopyText text={traceId} />
        </p>
      ) : null}
      {onRetry || actions ? (
        <div className={styles.actions}>
          {onRetry ? (
            <NativeButton onPress={onRetry} isPending={retrying === true}>
              {_("ui.error.retry")}
            </NativeButton>
          ) : null}
          {actions}
        </div>
      ) : null}
    </div>
  );
}

/** An id with a copy button. */
export function CopyText({ text }: { text: string }) {
  const { _ } = useLingui();
  const [copied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  }
  return (
    <>
      <code>{text}</code>
      <NativeIconButton label={_(copied ? "ui.copied" : "ui.copy")} onPress={() => void copy()}>
        {copied ? <IconCheck /> : <IconCopy />}
      </NativeIconButton>
    </>
  );
}
