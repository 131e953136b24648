/** An attempt after a button press: whether it is pending, and its refusal. */
import { useState } from "react";

/** Thrown when the user gives up: nothing happened, and nothing is told. */
export class GivenUp extends Error {}

/** Whether the user gave up, maybe in the middle of a call. */
export function isGivenUp(thrown: unknown): boolean {
  return thrown instanceof GivenUp || (thrown instanceof Error && thrown.cause instanceof GivenUp);
}

/** Runs one attempt at a time, and keeps the result of the last. */
export function useAttempt() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  async function run<T>(attempt: () => Promise<T>, then?: (answer: T) => void): Promise<void> {
    setPending(true);
    setError(undefined);
    try {
      const answer = await attempt();
      setPending(false);
      then?.(answer);
    } catch (refused) {
      setPending(false);
      if (!isGivenUp(refused)) setError(refused);
    }
  }
  return { pending, error, run, forget: () => setError(undefined) };
}
