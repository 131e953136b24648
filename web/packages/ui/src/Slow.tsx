/** Says that an answer takes long, and offers to ask again. */
import { useLingui } from "@lingui/react";
import { createContext, use, useEffect, useState } from "react";
import { NativeButton } from "./Native.tsx";
import { Note } from "./Notice.tsx";

/** A waiting screen says so after this time, in milliseconds. */
const PATIENCE = 8_000;

/** Asks everything again that was not answered yet; the app provides it. */
export const Retrying = createContext<() => void>(() => globalThis.location.reload());

export type SlowProps = {
  /** Asks again; by default everything that the page waits for. */
  onRetry?: (() => void) | undefined;
};

/** Whether the component was shown for so long that the page should say so. `again` starts anew. */
export function useSlow(): { slow: boolean; again: () => void } {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (slow) return undefined;
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [slow]);
  return { slow, again: () => setSlow(false) };
}

/** Whether something has been waited for so long that the page should say so. */
export function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [waiting]);
  return waiting && late;
}

/** Nothing at first; after a while a note with a retry. */
export function Slow({ onRetry }: SlowProps) {
  const { _ } = useLingui();
  const all = use(Retrying);
  const { slow, again } = useSlow();
  if (!slow) return null;
  const retry = () => {
    again();
    (onRetry ?? all)();
  };
  return (
    <Note
      spoken
      title={_("ui.slow.title")}
      actions={<NativeButton onPress={retry}>{_("ui.error.retry")}</NativeButton>}
    >
      {_("ui.slow.detail")}
    </Note>
  );
}
