/** Asks before typed text is dropped. A page without text fields never loads what follows them: `typed.ts`. */

/** Knows of typed text, and asks. */
export interface LeaveGuard {
  readonly hasTyped: () => boolean;
  readonly ask: (run: () => void) => void;
}

let guard: LeaveGuard | undefined;

/** Sets who is asked. */
export function guardLeaving(by: LeaveGuard): void {
  guard = by;
}

/** Whether any form or dialog has typed text that was not sent. */
export function hasTyped(): boolean {
  return guard?.hasTyped() ?? false;
}

/** Runs at once if nothing was typed. Otherwise it asks first. */
export function leave(run: () => void, typed: () => boolean = hasTyped): void {
  if (guard !== undefined && typed()) guard.ask(run);
  else run();
}
