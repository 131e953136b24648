// Days of the calendar, and what time it is by the server's day.
import { isoDay, todayText, type Day } from "./today.ts";

export type { Day } from "./today.ts";

const LENGTH = 86_400_000;

/** Today as the server counts it. */
export function today(): Day {
  return dayOf(todayText());
}

/** The business time in milliseconds: the browser's time of day, on the server's day. */
export function now(): number {
  const here = Date.now();
  return here + (Date.parse(todayText()) - Math.floor(here / LENGTH) * LENGTH);
}

/** The UTC day of a moment. */
export function dayAt(moment: Date): Day {
  return dayOf(moment.toISOString());
}

/** The day of a text that begins with it: `2026-01-31`. */
export function dayOf(text: string): Day {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

/** The day `more` days later. */
export function addDays(day: Day, more: number): Day {
  return dayAt(new Date(Date.parse(isoDay(day)) + more * LENGTH));
}

/** How many days later `until` is than `from`. */
export function daysBetween(from: Day, until: Day): number {
  return Math.round((Date.parse(isoDay(until)) - Date.parse(isoDay(from))) / LENGTH);
}
