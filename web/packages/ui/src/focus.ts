// Where the focus goes when a form is not right.

/** Puts the focus on the first control that is wrong, once it is marked as such; the page scrolls to it. */
export function focusFirstWrong(form: HTMLElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus());
}
