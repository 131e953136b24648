/** Brings back a part of the app that did not arrive: only a reload of the page fetches it again. */
import { isLostPart } from "@pavise/rpc/broken.ts";
import { reloadOnce, reloadPage } from "@pavise/rpc/reload.ts";
import { useEffect, useState } from "react";
import { hasTyped } from "./leave.ts";

/** Reloads the page once by itself, unless typed text would be lost. `again` reloads it when the user asks for it. */
export function useLostPart(error: unknown): { waiting: boolean; again: () => void } {
  const lost = isLostPart(error);
  const [waiting, setWaiting] = useState(lost);
  useEffect(() => {
    if (lost) void (hasTyped() ? Promise.resolve(false) : reloadOnce()).then(setWaiting);
  }, [lost]);
  function again() {
    setWaiting(true);
    void reloadPage().then(setWaiting);
  }
  return { waiting, again };
}
