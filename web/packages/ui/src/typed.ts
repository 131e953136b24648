/** Follows what is typed, ticked or chosen and not sent yet. */
import { useEffect, useMemo, useSyncExternalStore, type SyntheticEvent } from "react";
import { guardLeaving } from "./leave.ts";

/** The typed text of one form or dialog. */
interface Typed {
  readonly has: () => boolean;
  /** Whether any field was touched. */
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

/** Fields that are ticked or chosen: a box, a radio button, a select, a list with ticks. A switch takes effect at once. */
const CHOICES =
  'input:is([type="checkbox"], [type="radio"]):not([role="switch"]), select, button[aria-haspopup="listbox"], [data-ticks]';

/** The field that an element belongs to; none outside the form, as in the list of an open select. */
function fieldOf({ target, currentTarget }: SyntheticEvent): Element | undefined {
  if (!(target instanceof Element)) return undefined;
  if (isText(target)) return target;
  const label = target.closest("label");
  const found = target.closest(CHOICES) ?? (label?.control?.matches(CHOICES) ? label.control : null);
  return found !== null && currentTarget.contains(found) ? found : undefined;
}

/** The text of a field, or what is ticked or chosen in it. */
function textIn(element: Element): string {
  if (element instanceof HTMLInputElement && ["checkbox", "radio"].includes(element.type))
    return String(element.checked);
  if (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
    return element.value;
  if (element.hasAttribute("data-ticks"))
    return [...element.querySelectorAll('[aria-selected="true"]')].map((one) => one.textContent).join("\n");
  return element.textContent ?? "";
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

  /** A field is known from its first focus or press on: both come before any change. */
  readonly #touch = (event: SyntheticEvent) => {
    const element = fieldOf(event);
    if (element === undefined || this.#fields.has(element)) return;
    this.#fields.set(element, { before: textIn(element), now: textIn(element) });
    tell();
  };

  readonly #note = (event: SyntheticEvent) => {
    const element = fieldOf(event);
    const field = element && this.#fields.get(element);
    if (element && field) field.now = textIn(element);
  };

  readonly on = {
    onFocusCapture: this.#touch,
    onPointerDownCapture: this.#touch,
    onBlurCapture: this.#note,
    onInputCapture: this.#note,
  };
}

/** Follows the fields of a form or dialog: `on` goes to the element around them. `forget` is for what was sent. */
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
