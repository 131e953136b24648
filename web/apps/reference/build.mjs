// Puts the reference together in web/dist/docs: our page, and Swagger UI as it was published. Nothing is bundled.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const published = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const out = join(here, "../../dist/docs");
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "assets"), { recursive: true });

/** Writes a file under a name that holds its hash, and compressed beside it; answers the name. */
function asset(folder, name) {
  const content = readFileSync(join(folder, name));
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
  const named = name.replace(/\.(\w+)$/, `-${hash}.$1`);
  writeFileSync(join(out, "assets", named), content);
  writeFileSync(join(out, "assets", `${named}.gz`), gzipSync(content, { level: 9 }));
  return named;
}

const names = {
  "swagger-ui.css": asset(published, "swagger-ui.css"),
  "swagger-ui-bundle.js": asset(published, "swagger-ui-bundle.js"),
  "reference.css": asset(join(here, "src"), "reference.css"),
  "reference.js": asset(join(here, "src"), "reference.js"),
};
let page = readFileSync(join(here, "src/index.html"), "utf8");
for (const [name, named] of Object.entries(names)) page = page.replace(`assets/${name}`, `assets/${named}`);
writeFileSync(join(out, "index.html"), page);
writeFileSync(join(out, "LICENSE-swagger-ui.txt"), readFileSync(join(published, "LICENSE")));
