// Before all browser tests: the demonstration's data are written once, and each server begins with a copy.
import { rmSync } from "node:fs";
import { PREPARED, startServer } from "./server.ts";

export default async function prepare(): Promise<() => void> {
  const folder = await (await startServer()).leave();
  process.env[PREPARED] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
