// Keys that work anywhere but in a field: `g o` goes to orders, `?` lists the keys.
import { useEffect, useRef } from "react";

/** How long a key waits for the next one of its command, in milliseconds. */
const PATIENCE = 1200;

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=combobox], [role=dialog], [role=alertdialog], [role=menu]") !== null
  );
}

/** The effect of a key after the earlier ones: it completes a command, or waits for a further key, or does nothing. */
export function after(
  commands: readonly string[],
  earlier: string,
  key: string,
): { readonly command?: string; readonly waiting: string } {
  const begun = earlier === "" ? key : `${earlier} ${key}`;
  if (commands.includes(begun)) return { command: begun, waiting: "" };
  // A key that continues nothing may begin a command.
  const waiting = [begun, key].find((keys) => commands.some((one) => one.startsWith(`${keys} `)));
  return { waiting: waiting ?? "" };
}

/** Runs key commands: keys that are pressed after each other. Control or Command with k always works. */
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
      clearTimeout(timer);
      const { command, waiting } = after(Object.keys(current.current), first, event.key);
      first = waiting;
      if (command !== undefined) {
        event.preventDefault();
        current.current[command]?.();
      } else if (waiting !== "") {
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
