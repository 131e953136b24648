// Recognizes broken rules by the server's sentences, so that apps say them in the reader's language.

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

/** The broken rule of a violation's description; undefined for a custom sentence. */
export function brokenRule(description: string): BrokenRule | undefined {
  for (const [sentence, rule] of SENTENCES) {
    const found = sentence.exec(description);
    if (found === null) continue;
    const limit = rule === "required" || rule === "pattern" || rule === "choice" ? undefined : found[1];
    return limit === undefined ? { rule } : { rule, limit };
  }
  return undefined;
}

/** The part of a pattern that a text breaks: the allowed characters, the first characters, or the length. */
export interface BrokenPattern {
  readonly rule: "characters" | "begins" | "tooShort" | "tooLong" | "email" | "pattern";
  readonly limit?: string;
}

/** A character class with its repetition: `[a-z0-9-]{0,39}`. */
const PART = /\[((?:\\.|[^\]\\])+)\](?:\{(\d+)(?:,(\d*))?\}|([*+?]))?/y;

type Part = { readonly letters: string; readonly least: number; readonly most: number };

/** The fault of a text against a pattern that is a sequence of character classes. */
export function brokenPattern(pattern: string, text: string): BrokenPattern {
  if (pattern.includes("@(")) return { rule: "email" };
  const parts = partsOf(pattern);
  const [first] = parts ?? [];
  if (parts === undefined || first === undefined) return { rule: "pattern" };
  if ([...text].some((one) => !parts.some(({ letters }) => isOf(letters, one))))
    return { rule: "characters", limit: said(parts) };
  if (text !== "" && first.least > 0 && !isOf(first.letters, [...text][0] ?? ""))
    return { rule: "begins", limit: said([first]) };
  const [least, most] = [parts.reduce((sum, one) => sum + one.least, 0), parts.reduce((sum, one) => sum + one.most, 0)];
  if ([...text].length < least) return { rule: "tooShort", limit: String(least) };
  return [...text].length > most ? { rule: "tooLong", limit: String(most) } : { rule: "pattern" };
}

/** Whether a character is of a class; true for a class that JavaScript cannot read. */
function isOf(letters: string, one: string): boolean {
  try {
    return new RegExp(`^[${letters}]$`, "u").test(one);
  } catch {
    return true;
  }
}

function partsOf(pattern: string): readonly Part[] | undefined {
  const inside = /^\^(.*)\$$/.exec(pattern)?.[1];
  // A negated class gives no useful advice.
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
