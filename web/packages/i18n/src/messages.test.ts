// @vitest-environment node
// Every message that the code uses exists in every language, with the same variables in each.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LOCALES } from "./locale.ts";

const web = join(import.meta.dirname, "../../..");
/** The folders of messages, the prefixes of their ids, and the code that uses them. */
const CATALOGS = [
  { name: "components", folders: ["packages/i18n/src/ui", "packages/i18n/src/ui/work"], code: ["packages/ui/src"] },
  { name: "security", folders: ["packages/security/src/messages"], code: ["packages/security/src"] },
  {
    name: "member",
    folders: ["apps/member/src/messages/first", "apps/member/src/messages"],
    code: ["apps/member/src"],
  },
];
/** Words that are the same in two languages. */
const SAME =
  /^(\{\w+\}|[\d\W]|Menu|Navigation|Legal|Plan|MM|AA|Canada|Total|Visa|Mastercard|American Express|Discover|PDF|Pavise|ZIP|English.*|Español.*|Français.*)*$/;

function catalog(folders: readonly string[], locale: string): Map<string, string> {
  const text = folders.map((folder) => readFileSync(`${web}/${folder}/${locale}.po`, "utf8")).join("\n");
  const found = [...text.matchAll(/^msgid "(.+)"\nmsgstr "(.*)"$/gm)];
  return new Map(found.map(([, id, said]) => [id ?? "", said ?? ""]));
}

function sources(folder: string): string {
  return readdirSync(`${web}/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
    .map((name) => readFileSync(`${web}/${folder}/${name}`, "utf8"))
    .join("\n");
}

function variables(said: string): string[] {
  return [...new Set([...said.matchAll(/\{(\w+)/g)].map(([, name]) => name ?? ""))].toSorted();
}

/** Plural forms contain words in braces: `one {# row}` names no variable. */
function values(said: string): string[] {
  const names = variables(said.replaceAll(/\{(\w+), (plural|select),/g, "{$1} "));
  return names.filter((name) => said.includes(`{${name}}`) || said.includes(`{${name},`));
}

/** Each id with the variables of its message. */
function outline(all: Map<string, string>): string[] {
  return [...all].map(([id, text]) => `${id}: ${text === "" ? "nothing" : values(text).join(" ")}`).toSorted();
}

describe.each(CATALOGS)("$name", ({ folders, code }) => {
  const english = catalog(folders, "en-US");
  const said = code.map(sources).join("\n");

  test("each id in the code has a message", () => {
    const prefixes = new Set([...english.keys()].map((id) => id.split(".")[0]));

    const ids = [...said.matchAll(/["'`]([a-z]+(?:\.[a-zA-Z0-9]+)+)["'`]/g)]
      .map(([, id]) => id ?? "")
      .filter((id) => prefixes.has(id.split(".")[0]));
    expect(ids.filter((id) => !english.has(id))).toEqual([]);
    expect(ids.length).toBeGreaterThan(10);
  });

  test("each message is said somewhere", () => {
    // Ids that end in a value of the contract are composed: `order.failure.${reason}`.
    const unsaid = [...english.keys()].filter(
      (id) => !said.includes(`"${id}"`) && !said.includes(`\`${id.replace(/\.[^.]+$/, ".")}$`),
    );
    expect(unsaid).toEqual([]);
  });

  test.each(LOCALES.slice(1))("%s has each message with the same variables", (locale) => {
    const other = catalog(folders, locale);
    expect([...other.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    expect(outline(other)).toEqual(outline(english));
  });

  test.each(["es-US", "fr-CA"] as const)("%s is translated", (locale) => {
    const other = catalog(folders, locale);
    const left = [...other]
      .filter(([id, text]) => text === english.get(id) && !SAME.test(text))
      .map(([id, text]) => `${id}: ${text}`);
    expect(left).toEqual([]);
  });

  test.each(["es-US", "fr-CA"] as const)("%s has the plural of a million", (locale) => {
    const plurals = [...catalog(folders, locale).values()].filter((text) => text.includes(", plural,"));
    expect(plurals.filter((text) => !text.includes("many {"))).toEqual([]);
  });
});

test("no component writes words of its own", () => {
  const code = sources("apps/member/src");
  const words = [...code.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)*)[^<>{}=;]*<\//g)]
    .map(([, text]) => text)
    .filter((text) => text !== "Pavise");
  expect(words).toEqual([]);
});
