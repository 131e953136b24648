// The recently opened records of this tab. It keeps ids and types, no content of the records.
import type { Entity } from "../contract/operation.ts";

const KEY = "pavise.console.recent";
const KEPT = 12;

/** An opened record. */
export interface Opened {
  readonly domain: string;
  readonly entity: string;
  readonly id: string;
}

/** The records opened last, newest first. */
export function recent(): readonly Opened[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as Opened[]) : [];
  } catch {
    return [];
  }
}

/** Notes that a record was opened. */
export function remember({ domain, name }: Entity, id: string): void {
  const others = recent().filter((one) => one.id !== id);
  sessionStorage.setItem(KEY, JSON.stringify([{ domain, entity: name, id }, ...others].slice(0, KEPT)));
}
