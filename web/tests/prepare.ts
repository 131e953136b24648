// Runs before all browser tests: writes the demonstration data once, so that each server starts from a copy.
import { rmSync } from "node:fs";
import { PREPARED, startServer } from "./server.ts";

export default async function prepare(): Promise<() => void> {
  const folder = await (await startServer()).leave();
  process.env[PREPARED] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
