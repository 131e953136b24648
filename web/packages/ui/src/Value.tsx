/** Single values: a status, an amount, a moment, an id. */
import { useLingui } from "@lingui/react";
import { isoDay } from "@pavise/rpc/today.ts";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./Notice.module.css";

/** The tone of a status: fine, needs attention, failed, under way, ended. */
export type Tone = "good" | "warning" | "bad" | "busy" | "over" | "neutral";

/** A status: a word, and a dot in its tone. The word has the meaning; the dot only helps the eye. */
export function StatusDot({ tone, children, className }: { tone: Tone; children: ReactNode; className?: string }) {
  return (
    <span className={classes(styles.status, className)}>
      <span className={styles.dot} data-tone={tone} aria-hidden />
      {children}
    </span>
  );
}

/** An amount in integer minor units, in the locale's format. */
export function Money({ amount, currency, whole }: { amount: bigint | number; currency: string; whole?: boolean }) {
  const { i18n } = useLingui();
  return <span>{money(i18n.locale, amount, currency, whole)}</span>;
}

/** An amount as text. With `whole` it omits zero cents. */
export function money(locale: string, amount: bigint | number, currency: string, whole = false): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    ...(whole && Number(amount) % 100 === 0 ? { minimumFractionDigits: 0 } : {}),
  }).format(Number(amount) / 100);
}

/** A moment, in the reader's time zone unless one is named. */
export function DateTime({ at, zone, only }: { at: Date | null | undefined; zone?: string; only?: "date" | "time" }) {
  const { i18n } = useLingui();
  if (!at) return <span className={styles.none}>–</span>;
  const parts: Intl.DateTimeFormatOptions = {
    ...(only === "time" ? {} : { dateStyle: "medium" }),
    ...(only === "date" ? {} : { timeStyle: "short" }),
    ...(zone ? { timeZone: zone } : {}),
  };
  return <time dateTime={at.toISOString()}>{new Intl.DateTimeFormat(i18n.locale, parts).format(at)}</time>;
}

/** A day without a time: the same day in every time zone. */
export function DayText({
  day,
  long,
}: {
  day: { year: number; month: number; day: number } | null | undefined;
  long?: boolean;
}) {
  const { i18n } = useLingui();
  if (!day) return <span className={styles.none}>–</span>;
  return <time dateTime={isoDay(day)}>{dayText(i18n.locale, day, long)}</time>;
}

/** A day as text; of a masked day, the year. */
export function dayText(locale: string, day: { year: number; month: number; day: number }, long = false): string {
  if (day.month === 0) return String(day.year);
  const at = new Date(Date.UTC(day.year, day.month - 1, day.day));
  return new Intl.DateTimeFormat(locale, { dateStyle: long ? "long" : "medium", timeZone: "UTC" }).format(at);
}

/** An id, the only text in the mono face. */
export function Id({ children }: { children: string }) {
  return <span className={styles.id}>{children}</span>;
}

/** Names and values, line by line. */
export function Facts({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.flatMap(({ name, value }) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
    </dl>
  );
}
