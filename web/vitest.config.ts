import { defineConfig } from "vitest/config";
import { messages } from "./vite.shared.ts";

export default defineConfig({
  plugins: [messages()],
  test: {
    // A test that needs a DOM says so: `// @vitest-environment happy-dom`.
    environment: "node",
    include: ["packages/*/src/**/*.test.{ts,tsx}", "apps/*/src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
  },
});
