// The rules that a server says a field breaks, told apart by its sentences: apps say them in the reader's words.

/** A broken rule, with the number that it names. */
export interface BrokenRule {
  readonly rule: "required" | "tooShort" | "tooLong" | "tooFew" | "tooMany" | "pattern" | "least" | "most" | "choice";
  readonly limit?: string;
}

const SENTENCES: readonly (readonly [RegExp, BrokenRule["rule"]])[] = [
  [/^(value )?(length )?(is required|must be at least 1 characters?)$/, "required"],
  [/^(?:value )?(?:length )?must be at least (\d+) characters?$/, "tooShort"],
  [/^(?:value )?(?:length )?must be at most (\d+) (?:characters?|bytes)$/, "tooLong"],
  [/^must have at least (\d+) (?:items?|entries)$/, "tooFew"],
  [/^must have at most (\d+) (?:items?|entries)$/, "tooMany"],
  [/must match|does not match|match regex/, "pattern"],
  [/^(?:value )?must be (?:>=|greater than or equal to) (-?[\d.]+)$/, "least"],
  [/^(?:value )?must be (?:<=|less than or equal to) (-?[\d.]+)$/, "most"],
  [/(?:not )?(?:be )?in list|defined enum values|^must be one of/, "choice"],
];

/** The rule that a violation's description says is broken; undefined for a sentence of its own. */
export function brokenRule(description: string): BrokenRule | undefined {
  for (const [sentence, rule] of SENTENCES) {
    const found = sentence.exec(description);
    if (found === null) continue;
    const limit = rule === "required" || rule === "pattern" || rule === "choice" ? undefined : found[1];
    return limit === undefined ? { rule } : { rule, limit };
  }
  return undefined;
}

/** The part of a pattern that a text breaks: the characters that it may have, those that it begins with, or its length. */
export interface BrokenPattern {
  readonly rule: "characters" | "begins" | "tooShort" | "tooLong" | "email" | "pattern";
  readonly limit?: string;
}

/** One class of characters, as often as the pattern says: `[a-z0-9-]{0,39}`. */
const PART = /\[((?:\\.|[^\]\\])+)\](?:\{(\d+)(?:,(\d*))?\}|([*+?]))?/y;

type Part = { readonly letters: string; readonly least: number; readonly most: number };

/** Says of a text what a pattern has against it, as far as the pattern is classes of characters in a row. */
export function brokenPattern(pattern: string, text: string): BrokenPattern {
  if (pattern.includes("@(")) return { rule: "email" };
  const parts = partsOf(pattern);
  const [first] = parts ?? [];
  if (parts === undefined || first === undefined) return { rule: "pattern" };
  if ([...text].some((one) => !parts.some(({ letters }) => isOf(letters, one)))) return { rule: "characters", limit: said(parts) };
  if (text !== "" && first.least > 0 && !isOf(first.letters, [...text][0] ?? "")) return { rule: "begins", limit: said([first]) };
  const [least, most] = [parts.reduce((sum, one) => sum + one.least, 0), parts.reduce((sum, one) => sum + one.most, 0)];
  if ([...text].length < least) return { rule: "tooShort", limit: String(least) };
  return [...text].length > most ? { rule: "tooLong", limit: String(most) } : { rule: "pattern" };
}

/** Whether a character is of a class; of a class that JavaScript does not know, every one is. */
function isOf(letters: string, one: string): boolean {
  try {
    return new RegExp(`^[${letters}]$`, "u").test(one);
  } catch {
    return true;
  }
}

function partsOf(pattern: string): readonly Part[] | undefined {
  const inside = /^\^(.*)\$$/.exec(pattern)?.[1];
  // A class of what is not allowed says nothing that a person can go by.
  if (inside === undefined || inside.includes("[^")) return undefined;
  const parts: Part[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < inside.length) {
    const found = PART.exec(inside);
    if (found === null) return undefined;
    const [, letters = "", least, most, times] = found;
    const exact = least === undefined ? undefined : Number(least);
    const open = times === "*" || times === "+" || most === "";
    parts.push({
      letters,
      least: exact ?? (times === "*" || times === "?" ? 0 : 1),
      most: open ? Number.POSITIVE_INFINITY : most === undefined ? (exact ?? 1) : Number(most),
    });
  }
  return parts;
}

/** The characters of the classes, each once: "a–z 0–9 -". */
function said(parts: readonly Part[]): string {
  const ranges = parts.flatMap(({ letters }) => letters.match(/\\?.-\\?[^\]]|\\?./g) ?? []);
  const names = ranges.map((one) => (/^.-.$/.test(one) ? one.replace("-", "–") : one.replace("\\", "")));
  return [...new Set(names)].map((one) => (one === " " ? "␣" : one)).join(" ");
}
