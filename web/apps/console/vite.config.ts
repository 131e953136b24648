import { defineConfig } from "vite";
import { app } from "../../vite.shared.ts";
import { withoutCalls, withoutOptions } from "../../vite.stubs.ts";

// The served descriptors have all options. Of the stubs' own, desks read those of fields and values: what is secret, words, tones.
export default defineConfig(
  app("console", [withoutCalls("console"), withoutOptions(["field", "value", "vocabulary"])]),
);
