/** An attempt after a button press: whether it is pending, and its refusal. */
import { useState } from "react";

/** Thrown when the user gives up: nothing happened, and nothing is told. */
export class GivenUp extends Error {}

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
      if (!(refused instanceof GivenUp)) setError(refused);
    }
  }
  return { pending, error, run, forget: () => setError(undefined) };
}
