// Delays typed text until typing stops, so that the server gets one search instead of one per key.
import { useEffect, useState } from "react";

/** How long typing must have stopped before the search starts, in milliseconds. */
const PAUSE = 180;

/** The typed text, once typing stopped. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
