// The shared build configuration of the two apps.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import type { Plugin, UserConfig } from "vite";

/** The server that receives the calls during development. */
const server = process.env["PAVISE"] ?? "http://localhost:8080";

/** Compiles the message catalogs into modules; a missing translation ends the build. */
export function messages(): Plugin[] {
  return lingui({
    configPath: fileURLToPath(new URL("lingui.config.ts", import.meta.url)),
    failOnMissing: true,
    failOnCompileError: true,
  });
}

/** Leaves out messages that are their own key, as the console's English is: `Language` falls back to the key. */
function withoutOwnKeys(): Plugin {
  return {
    name: "without-own-keys",
    apply: "build",
    transform(code, id) {
      if (!id.endsWith(".po")) return null;
      const [call, written] = /JSON\.parse\(("(?:[^"\\]|\\.)*")\)/.exec(code) ?? [];
      if (call === undefined || written === undefined) return this.error(`${id} is no catalog`);
      const texts = Object.entries(JSON.parse(JSON.parse(written)) as Record<string, unknown[]>);
      const others = texts.filter(([key, parts]) => parts.length !== 1 || parts[0] !== key);
      const kept = JSON.stringify(JSON.stringify(Object.fromEntries(others)));
      return { code: code.replace(call, () => `JSON.parse(${kept})`), map: null };
    },
  };
}

/** Leaves out React Aria's messages in languages that the apps do not have. */
function spokenOnly(): Plugin {
  return {
    name: "spoken-only",
    enforce: "pre",
    load(id) {
      const [, locale] = /[\\/]intl[\\/].*([a-z]{2}-[A-Z]{2})\.mjs$/.exec(id) ?? [];
      return locale === undefined || /^(en|es|fr)-/.test(locale) ? null : "export default {};";
    },
  };
}

/** Writes a .gz beside every text file; the server sends it to browsers that accept it. */
function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    // Runs after everything was written: until then other plugins still change files.
    writeBundle({ dir = "" }, bundle) {
      for (const name of Object.keys(bundle)) {
        if (!/\.(js|css|svg|json)$/.test(name)) continue;
        const file = join(dir, name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      }
    },
  };
}

/** The build of the app that is served under `/<path>/`. */
export function app(path: "app" | "console", plugins: Plugin[] = []): UserConfig {
  return {
    base: `/${path}/`,
    plugins: [react(), messages(), withoutOwnKeys(), spokenOnly(), ...plugins, precompress()],
    build: {
      outDir: fileURLToPath(new URL(`dist/${path}`, import.meta.url)),
      emptyOutDir: true,
      target: "es2022",
      sourcemap: false,
      modulePreload: { polyfill: false },
      // Fonts stay separate files: inlined, every visitor would fetch them.
      assetsInlineLimit: 0,
    },
    server: {
      proxy: {
        "^/pavise\\.": server,
        "^/contract/": server,
        "^/v1/": server,
        "^/v2/": server,
      },
    },
  };
}
