// Where the messages are. Ids are said in the code; a test compares the catalogs with it.
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

export default defineConfig({
  locales: ["en-US", "es-US", "en-CA", "fr-CA"],
  sourceLocale: "en-US",
  format: formatter({ explicitIdAsDefault: true }),
  catalogs: [
    { path: "<rootDir>/packages/i18n/src/ui/work/{locale}", include: ["<rootDir>/packages/ui/src"] },
    { path: "<rootDir>/packages/i18n/src/ui/{locale}", include: ["<rootDir>/packages/ui/src"] },
    { path: "<rootDir>/packages/session/src/messages/{locale}", include: ["<rootDir>/packages/session/src"] },
    { path: "<rootDir>/packages/security/src/messages/{locale}", include: ["<rootDir>/packages/security/src"] },
    { path: "<rootDir>/apps/console/src/messages/{locale}", include: ["<rootDir>/apps/console/src"] },
    { path: "<rootDir>/apps/member/src/messages/first/{locale}", include: ["<rootDir>/apps/member/src/shop"] },
    { path: "<rootDir>/apps/member/src/messages/{locale}", include: ["<rootDir>/apps/member/src"] },
  ],
});
