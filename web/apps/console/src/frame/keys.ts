// Keys that work anywhere but in a field: `g o` goes to orders, `?` lists the keys.
import { useEffect, useRef } from "react";

/** How long the first key of two waits for the second, in milliseconds. */
const PATIENCE = 1200;

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=combobox], [role=dialog], [role=alertdialog], [role=menu]") !== null
  );
}

/** Runs key commands: single keys, or two with a space between. Control or Command with k always works. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    let first = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        current.current["Ctrl K"]?.();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target)) return;
      // Shift alone is no key of a command.
      if (event.key === "Shift") return;
      const keyed = first === "" ? event.key : `${first} ${event.key}`;
      clearTimeout(timer);
      first = "";
      const run = current.current[keyed];
      if (run !== undefined) {
        event.preventDefault();
        run();
      } else if (Object.keys(current.current).some((one) => one.startsWith(`${event.key} `))) {
        first = event.key;
        timer = setTimeout(() => (first = ""), PATIENCE);
      }
    };
    window.addEventListener("keydown", pressed);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", pressed);
    };
  }, []);
}
