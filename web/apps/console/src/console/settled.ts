// What somebody types, once he stops for a moment: only that is looked for on the server.
import { useEffect, useState } from "react";

/** How long somebody has stopped typing before it is looked for, in milliseconds. */
const PAUSE = 180;

/** What was typed, once typing stopped. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
