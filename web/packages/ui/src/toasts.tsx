/** Shows toasts. Their code is fetched with the first one: a first page shows none. */
import { lazy, Suspense, useSyncExternalStore } from "react";
import type { Message } from "./Toast.tsx";

const fetched = () => import("./Toast.tsx");
const Region = lazy(async () => ({ default: (await fetched()).Toasts }));

let begun = false;
const places = new Set<() => void>();

function watch(changed: () => void): () => void {
  places.add(changed);
  return () => places.delete(changed);
}

/** Shows a toast. A message that needs an answer is a dialog instead. */
export function toast(message: Message): void {
  begun = true;
  for (const changed of places) changed();
  // A toast whose code does not arrive is lost: it told only what the page shows too.
  fetched().then(
    (module) => module.toast(message),
    () => undefined,
  );
}

/** The place of toasts, once per app. */
export function Toasts() {
  return useSyncExternalStore(watch, () => begun) ? (
    <Suspense>
      <Region />
    </Suspense>
  ) : null;
}
