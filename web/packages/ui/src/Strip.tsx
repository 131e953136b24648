/** Strips over every page while a state lasts: offline, impersonation. */
import { useEffect, useState, type ReactNode } from "react";
import styles from "./Shell.module.css";

/** A strip over the page that stays while a state lasts. */
export function Strip({
  tone = "info",
  children,
  action,
}: {
  tone?: "info" | "warning" | "danger";
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.strip} data-tone={tone} role="status">
      <span>{children}</span>
      {action ? <span className={styles.stripEnd}>{action}</span> : null}
    </div>
  );
}

/** Whether the browser reports a network. */
export function useOnline(): boolean {
  const [online, setOnline] = useState(() => navigator.onLine);
  useEffect(() => {
    const changed = () => setOnline(navigator.onLine);
    window.addEventListener("online", changed);
    window.addEventListener("offline", changed);
    return () => {
      window.removeEventListener("online", changed);
      window.removeEventListener("offline", changed);
    };
  }, []);
  return online;
}
