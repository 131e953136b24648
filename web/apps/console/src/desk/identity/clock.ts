// How far an advance of the test clock is, and what its days brought.
import { enumWords, words } from "@pavise/descform/words.ts";
import { addDays, dayOf, daysBetween, type Day } from "@pavise/rpc/day.ts";

/** The most days that the clock may be ahead of the machine's. */
export const MOST_AHEAD = 800;

/** A figure of a day: how often something happened. */
export interface Figure {
  readonly name: string;
  readonly count: bigint;
}

/** An advance, as far as it is over. */
export interface Advance {
  readonly fromDay?: Day | undefined;
  readonly untilDay?: Day | undefined;
  readonly days: readonly { readonly figures: readonly Figure[] }[];
}

/** The days that are over, and all days of the advance. */
export function progressOf({ fromDay, untilDay, days }: Advance): { over: number; all: number } {
  const all = fromDay === undefined || untilDay === undefined ? days.length : daysBetween(fromDay, untilDay);
  return { over: Math.min(days.length, all), all };
}

/** The figures of several days together, the greatest first. */
export function sumsOf(days: Advance["days"]): Figure[] {
  const sums = new Map<string, bigint>();
  for (const { name, count } of days.flatMap(({ figures }) => figures)) sums.set(name, (sums.get(name) ?? 0n) + count);
  return [...sums]
    .map(([name, count]) => ({ name, count }))
    .toSorted((left, right) => Number(right.count - left.count) || left.name.localeCompare(right.name));
}

/** A figure's name in parts: the journal and the action; undefined for what workers left. */
export function happened(name: string): { journal: string; action: string } | undefined {
  const [journal = "", action] = name.split(".");
  return action === undefined ? undefined : { journal: words(journal), action: enumWords(action) };
}

/** The day to which the clock would go; undefined for none, or for one that the clock cannot reach. */
export function targetOf(
  { by, days, until }: { by: "days" | "until"; days: number; until: Day | null },
  today: Day,
  machineDay: Day,
): Day | undefined {
  const target = by === "days" ? (Number.isInteger(days) ? addDays(today, days) : undefined) : (until ?? undefined);
  if (target === undefined || daysBetween(today, target) < 1) return undefined;
  return daysBetween(machineDay, target) > MOST_AHEAD ? undefined : target;
}

/** The UTC day of a timestamp in seconds. */
export function dayOfSeconds(seconds: bigint): Day {
  return dayOf(new Date(Number(seconds) * 1000).toISOString());
}
