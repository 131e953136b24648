import { defineConfig } from "vitest/config";
import { messages } from "./vite.shared.ts";

export default defineConfig({
  plugins: [messages()],
  test: {
    environment: "happy-dom",
    include: ["packages/*/src/**/*.test.{ts,tsx}", "apps/*/src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
  },
});
