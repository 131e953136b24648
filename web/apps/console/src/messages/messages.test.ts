import { expect, test } from "vitest";
import { catalog, parts, said } from "../../../../scripts/messages.mjs";

/** The placeholders of a message: `{count}`. */
const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).toSorted();

const all = parts.flatMap((part) =>
  ["en-US", "es-US", "en-CA", "fr-CA"].map((locale) => [part.name, locale, part] as const),
);

test.each(all)("everything that the %s says is said in %s", (_name, locale, part) => {
  const texts = said(part);
  const known = catalog(part, locale);
  expect(texts.filter((text) => !known.get(text))).toEqual([]);
  // The catalog has no unused message.
  expect([...known.keys()].filter((text) => text !== "" && !texts.includes(text))).toEqual([]);
});

test.each(all)("the %s's translations to %s keep what is filled in", (_name, locale, part) => {
  for (const [text, translation] of catalog(part, locale)) expect(holes(translation), text).toEqual(holes(text));
});
