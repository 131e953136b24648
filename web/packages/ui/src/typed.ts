/** Follows text that is typed and not sent yet. */
import { useEffect, useMemo, useSyncExternalStore, type FocusEvent, type FormEvent } from "react";
import { guardLeaving } from "./leave.ts";

/** The typed text of one form or dialog. */
interface Typed {
  readonly has: () => boolean;
  /** Whether any text field had the focus. */
  readonly begun: () => boolean;
}

/** Every form and dialog on the page. */
const shown = new Set<Typed>();
const listeners = new Set<() => void>();
let asked: (() => void) | undefined;

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

guardLeaving({
  hasTyped: () => [...shown].some((one) => one.has()),
  ask: (run) => {
    asked = run;
    tell();
  },
});

/** The action that waits for the answer to the question; undefined while nothing is asked. */
export function useAsked(): (() => void) | undefined {
  return useSyncExternalStore(subscribe, () => asked);
}

/** Ends the question. */
export function endQuestion(): void {
  asked = undefined;
  tell();
}

/** Whether any form or dialog was begun, so that leaving the page may have to ask. */
export function useBegun(): boolean {
  return useSyncExternalStore(subscribe, () => [...shown].some((one) => one.begun()));
}

/** Inputs whose text nobody would miss: what is searched, and passwords, which are typed anew each time. */
const UNMISSED = new Set(["search", "password", "checkbox", "radio", "file", "submit", "button"]);

/** A field with text: an input, or a part of a date. */
function isText(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !UNMISSED.has(element.type);
  return element instanceof HTMLTextAreaElement || element.getAttribute("role") === "spinbutton";
}

function textIn(element: Element): string {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
    ? element.value
    : (element.textContent ?? "");
}

/** Compares the fields of one form or dialog with their texts before. */
class TypedFields implements Typed {
  readonly #fields = new Map<Element, { readonly before: string; now: string }>();

  /** With `keepsGone` fields that are not shown any more count too: a later step of a dialog keeps what they had. */
  constructor(readonly keepsGone: boolean) {}

  readonly has = () =>
    [...this.#fields].some(([element, { before, now }]) =>
      element.isConnected ? textIn(element) !== before : this.keepsGone && now !== before,
    );

  readonly begun = () => this.#fields.size > 0;

  readonly forget = () => this.#fields.clear();

  readonly on = {
    onFocusCapture: ({ target }: FocusEvent) => {
      if (!isText(target) || this.#fields.has(target)) return;
      this.#fields.set(target, { before: textIn(target), now: textIn(target) });
      tell();
    },
    onBlurCapture: ({ target }: FocusEvent) => this.#note(target),
    onInputCapture: ({ target }: FormEvent) => {
      if (target instanceof Element) this.#note(target);
    },
  };

  #note(element: Element) {
    const field = this.#fields.get(element);
    if (field !== undefined) field.now = textIn(element);
  }
}

/** Follows the text fields of a form or dialog: `on` goes to the element around them. `forget` is for text that was sent. */
export function useTyped({ keepsGone = false }: { keepsGone?: boolean } = {}) {
  const typed = useMemo(() => new TypedFields(keepsGone), [keepsGone]);
  useEffect(() => {
    shown.add(typed);
    return () => {
      shown.delete(typed);
      tell();
    };
  }, [typed]);
  return typed;
}
