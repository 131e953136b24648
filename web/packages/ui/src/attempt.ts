/** What is tried once somebody presses: whether it is under way, and what it was refused with. */
import { useState } from "react";

/** Thrown where somebody gives up what he began: nothing happened, and nothing is said. */
export class GivenUp extends Error {}

/** One attempt after the other, and what came of the last. */
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
