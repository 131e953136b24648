// Asks before a step back in the browser's history, or a closed tab, drops typed text.
import { hasTyped, leave } from "@pavise/ui/leave.ts";
import { useBegun } from "@pavise/ui/typed.ts";
import { useRouter, type HistoryLocation, type RouterHistory } from "@tanstack/react-router";
import { useEffect } from "react";

/** The place of an address in the history of the tab. */
function placeOf({ state: { __TSR_index: place } }: HistoryLocation): number {
  return place;
}

/** Asks before typed text is dropped by the browser's own buttons. Links ask by themselves. */
export function useAskedBack(): void {
  const { history }: { history: RouterHistory } = useRouter();
  const begun = useBegun();
  useEffect(() => {
    if (!begun) return undefined;
    return history.block({
      enableBeforeUnload: hasTyped,
      blockerFn: ({ action, currentLocation, nextLocation }) => {
        // The app itself goes on after it sent the text.
        if (action === "PUSH" || action === "REPLACE" || !hasTyped()) return Promise.resolve(false);
        const steps = placeOf(nextLocation) - placeOf(currentLocation);
        leave(() => history.go(steps, { ignoreBlocker: true }));
        return Promise.resolve(true);
      },
    });
  }, [history, begun]);
}
