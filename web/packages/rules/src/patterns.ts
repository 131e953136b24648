// The patterns of the specification (001 §5, §9). It does not show the characters of a local part; these are the ones
// that RFC 5322 allows without quotes.

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?";
const LAST = "[A-Za-z0-9]{2,}";

const EMAIL = new RegExp(`^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@(?:${LABEL}\\.)+${LAST}$`);

/** One to 64 characters, an at sign, domain labels, and a last label of two or more. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** A person's name: not blank, no control characters, no angle brackets, within the length. */
export function isName(text: string, longest: number): boolean {
  const letters = [...text.trim()];
  return (
    letters.length > 0 &&
    letters.length <= longest &&
    letters.every((letter) => letter >= " " && letter !== "<" && letter !== ">")
  );
}
