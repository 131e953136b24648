import { defineConfig } from "vitest/config";

// In a real browser against the real server: `npm run test:browser`, after the server and the apps are built.
export default defineConfig({
  test: {
    environment: "node",
    include: ["tests/**/*.browser.ts"],
    globalSetup: "tests/prepare.ts",
    testTimeout: 60_000,
    hookTimeout: 300_000,
    // Vitest's own limit is a second, which a page on a busy core does not keep.
    expect: { poll: { timeout: 20_000 } },
    // A run of an hour is not lost to one unlucky moment of a browser on two busy cores. The report names the second try.
    retry: process.env["CI"] ? 1 : 0,
    // Each file has its own server and browser, and mostly waits for them.
    maxWorkers: 2,
  },
});
