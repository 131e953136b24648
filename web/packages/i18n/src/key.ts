// Marks a text that is translated elsewhere, so that the catalog script finds it.

/** The text itself, the key of its translations. */
export function key(text: string): string {
  return text;
}
