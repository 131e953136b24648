// @vitest-environment node
// Text has enough contrast on every surface, in both themes (WCAG 2.2 AA).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const pairs = new Map(
  [...css.matchAll(/--([a-z-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
    name ?? "",
    { light: light ?? "", dark: dark ?? "" },
  ]),
);

const SURFACES = ["paper", "raised", "sunk", "petrol-wash", "brick-wash", "ochre-wash"];
const WORDS = ["ink", "ink-soft", "ink-faint", "petrol", "petrol-strong", "ochre", "brick", "moss", "blue"];

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

describe.each(["light", "dark"] as const)("%s", (theme) => {
  const colour = (name: string) => {
    const pair = pairs.get(name);
    if (!pair) throw new Error(`tokens.css has no colour ${name}`);
    return pair[theme];
  };

  test.each(WORDS.flatMap((word) => SURFACES.map((surface) => [word, surface] as const)))(
    "%s on %s",
    (word, surface) => {
      expect(contrast(colour(word), colour(surface))).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each([
    ["on-petrol", "petrol"],
    ["on-petrol", "petrol-strong"],
    ["on-brick", "brick"],
    ["paper", "ink"],
  ])("%s on %s", (word, surface) => {
    expect(contrast(colour(word), colour(surface))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(["paper", "raised", "sunk"])("the edge of a control on %s", (surface) => {
    expect(contrast(colour("control"), colour(surface))).toBeGreaterThanOrEqual(3);
  });
});
