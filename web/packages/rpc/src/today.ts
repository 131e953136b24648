// Today as the server counts it: the answers of calls tell the day. The test clock may have moved it.

/** A day as the contract has it. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

let told = "";
const watching = new Set<() => void>();

/** Notes the day of an answer: `2026-01-31`, and `;moved` where the test clock moved it. Days never go back. */
export function noteToday(said: string | null): void {
  if (said === null || said <= told) return;
  told = said;
  for (const changed of watching) changed();
}

/** Today as text that sorts. It is the browser's UTC day until an answer came. */
export function todayText(): string {
  return (told || new Date().toISOString()).slice(0, 10);
}

/** The day to which the test clock moved business time; empty where it did not. */
export function movedTo(): string {
  return told.slice(10) && todayText();
}

/** Calls the listener when the day is another one. Returns the function that ends it. */
export function watchToday(changed: () => void): () => void {
  watching.add(changed);
  return () => watching.delete(changed);
}

/** A day as text that sorts: `2026-01-31`. */
export function isoDay({ year, month, day }: Day): string {
  return [String(year).padStart(4, "0"), ...[month, day].map((part) => String(part).padStart(2, "0"))].join("-");
}
