// Marks a text that is translated elsewhere, so that it is found when the catalogues are made.

/** The text itself, which is the key of its translations. */
export function key(text: string): string {
  return text;
}
