// Moves the focus to the faults of a form.

/** Focuses the first invalid control, once it is marked as such; the page scrolls to it. */
export function focusFirstWrong(form: HTMLElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus());
}
