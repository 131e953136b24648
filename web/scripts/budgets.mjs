// What a first load weighs: the scripts that an app's page names, and what those import at once, compressed.
import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const KIB = 1024;
const budgets = { app: 190 * KIB, console: 280 * KIB };
let over = false;

for (const [app, budget] of Object.entries(budgets)) {
  const folder = fileURLToPath(new URL(`../dist/${app}/`, import.meta.url));
  const page = readFileSync(`${folder}index.html`, "utf8");
  const first = new Set();
  const visit = (file) => {
    if (first.has(file)) return;
    first.add(file);
    const source = readFileSync(`${folder}assets/${file}`, "utf8");
    // Static imports only: import("…") is not part of the first load.
    for (const [, imported] of source.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) visit(imported);
  };
  for (const [, file] of page.matchAll(/assets\/([^"']+\.js)["']/g)) visit(file);
  const size = [...first].reduce((sum, file) => sum + gzipSync(readFileSync(`${folder}assets/${file}`), { level: 9 }).length, 0);
  const later = readdirSync(`${folder}assets`).filter((file) => file.endsWith(".js") && !first.has(file)).length;
  console.log(`${app}: first load ${(size / KIB).toFixed(1)} KiB of ${budget / KIB} KiB, ${first.size} scripts; ${later} more on demand`);
  if (size > budget) over = true;
}
if (over) {
  console.error("a first load is over its budget");
  process.exit(1);
}
