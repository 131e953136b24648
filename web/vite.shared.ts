// What the two apps' builds have in common.
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import type { Plugin, UserConfig } from "vite";

/** The server that `vite` passes calls on to while developing. */
const server = process.env["PAVISE"] ?? "http://localhost:8080";

/** Makes the catalogues of messages into modules; a message that is missing in a language ends the build. */
export function messages(): Plugin[] {
  return lingui({
    configPath: fileURLToPath(new URL("lingui.config.ts", import.meta.url)),
    failOnMissing: true,
    failOnCompileError: true,
  });
}

/** Writes a .gz beside every text file, which the server sends to whoever accepts it. */
function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    generateBundle(_options, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (!/\.(js|css|svg|json)$/.test(name)) continue;
        const source = file.type === "chunk" ? file.code : file.source;
        this.emitFile({ type: "asset", fileName: `${name}.gz`, source: gzipSync(source, { level: 9 }) });
      }
    },
  };
}

/** The build of the app that is served under `/<path>/`. */
export function app(path: "app" | "console", plugins: Plugin[] = []): UserConfig {
  return {
    base: `/${path}/`,
    plugins: [react(), messages(), ...plugins, precompress()],
    build: {
      outDir: fileURLToPath(new URL(`dist/${path}`, import.meta.url)),
      emptyOutDir: true,
      target: "es2022",
      sourcemap: false,
      modulePreload: { polyfill: false },
      // Fonts are files of their own: inlined they would be fetched by everybody.
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
