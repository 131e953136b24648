import { defineConfig } from "vite";
import { app } from "../../vite.shared.ts";

export default defineConfig(app("app"));
