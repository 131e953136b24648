// Updates the catalogs of the console and the session pages from their sources: `_("…")` and `key("…")`. The English text
// is the key; an untranslated text stays empty in the other languages' files, and a test fails on it.
//   node scripts/messages.mjs          write
//   node scripts/messages.mjs check    only tell whether something is missing
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
export const parts = [
  {
    name: "console",
    sources: ["apps/console/src", "packages/descform/src"],
    folder: `${web}apps/console/src/messages`,
  },
  { name: "session", sources: ["packages/session/src"], folder: `${web}packages/session/src/messages` },
];
const locales = ["en-US", "es-US", "en-CA", "fr-CA"];

/** Every text in the sources of a part. */
export function said({ sources }) {
  const texts = new Set();
  for (const source of sources) {
    for (const file of readdirSync(`${web}${source}`, { recursive: true })) {
      if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file)) continue;
      const code = readFileSync(`${web}${source}/${file}`, "utf8");
      for (const [, text] of code.matchAll(/\b(?:_|key|inWords|translate)\(\s*("(?:[^"\\]|\\.)*")/g))
        texts.add(JSON.parse(text));
      // Both branches of a conditional: _(open ? "Close" : "Open").
      for (const [, one, other] of code.matchAll(
        /\b(?:_|translate)\([^"()]*\?\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*")/g,
      )) {
        texts.add(JSON.parse(one)).add(JSON.parse(other));
      }
    }
  }
  return [...texts].toSorted();
}

/** The texts of a part's catalog. */
export function catalog({ folder }, locale) {
  const file = `${folder}/${locale}.po`;
  if (!existsSync(file)) return new Map();
  const entries = readFileSync(file, "utf8").matchAll(/msgid ("(?:[^"\\]|\\.)*")\nmsgstr ("(?:[^"\\]|\\.)*")/g);
  return new Map([...entries].map(([, id, text]) => [JSON.parse(id), JSON.parse(text)]));
}

const header = (locale) =>
  `msgid ""\nmsgstr ""\n"Language: ${locale}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n"MIME-Version: 1.0\\n"\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const part of parts) {
    const texts = said(part);
    mkdirSync(part.folder, { recursive: true });
    for (const locale of locales) {
      const known = catalog(part, locale);
      const english = locale.startsWith("en");
      const lines = texts.map(
        (text) =>
          `\nmsgid ${JSON.stringify(text)}\nmsgstr ${JSON.stringify(english ? text : (known.get(text) ?? ""))}\n`,
      );
      const missing = texts.filter((text) => !english && !known.get(text));
      if (process.argv[2] !== "check") writeFileSync(`${part.folder}/${locale}.po`, header(locale) + lines.join(""));
      console.log(`${part.name} ${locale}: ${texts.length} texts, ${missing.length} not translated`);
    }
  }
}
