// How workers stand, and what they wait for.

/** The address of the desk. */
export const WORKERS = "/desk/workers";

/** How often the desk reads again, in milliseconds. */
export const AGAIN = 5_000;

/** The part of a worker that its standing depends on. */
export interface Standing {
  readonly name: string;
  readonly paused: boolean;
  /** Whether it was asked to run, and has not begun. */
  readonly asked: boolean;
  /** Whether its last run began and has not ended. */
  readonly runs: boolean;
  /** Why its last run failed; empty if it did not. */
  readonly cause: string;
  readonly parked: bigint;
  readonly lagEntries: bigint;
}

/** How a worker stands: `parked` and `failed` need somebody. */
export type State = "paused" | "parked" | "failed" | "asked" | "runs" | "behind" | "good";

/** The states in the order in which the desk lists them. */
const ORDER: readonly State[] = ["parked", "failed", "paused", "asked", "runs", "behind", "good"];

/** A pause is said first: nothing else goes on meanwhile. */
export function stateOf({ paused, parked, cause, asked, runs, lagEntries }: Standing): State {
  if (paused) return "paused";
  if (parked > 0n) return "parked";
  if (cause !== "") return "failed";
  if (asked) return "asked";
  if (runs) return "runs";
  return lagEntries > 0n ? "behind" : "good";
}

/** The order of the list: those that need somebody first, then by name. */
export function byNeed(left: Standing, right: Standing): number {
  return ORDER.indexOf(stateOf(left)) - ORDER.indexOf(stateOf(right)) || left.name.localeCompare(right.name);
}

const MINUTE = 60n;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

/** A time in the largest unit that says it exactly, or nearly so: "10 minutes". */
export function timeText(locale: string, seconds: bigint): string {
  const [unit, size] =
    (
      [
        ["day", DAY],
        ["hour", HOUR],
        ["minute", MINUTE],
      ] as const
    ).find(([, one]) => seconds >= 2n * one || seconds === one) ?? (["second", 1n] as const);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}
