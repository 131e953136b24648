// The stand-in of Stripe for browser tests, and the flags of a server that charges there.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { built } from "./server.ts";

/** A running stand-in. */
export interface VendorServer {
  /** The flags with which a server asks it. */
  readonly flags: readonly string[];
  stop(): void;
}

/** The secret key that it takes. */
const KEY = "sk_test_only_tests_know_this_key";

/** Starts the stand-in and waits until it serves. */
export async function startVendor(): Promise<VendorServer> {
  const file = built("stripe_double", "--package pavise-testkit --features stripe --bin stripe_double");
  const now = String(Math.floor(Date.now() / 1000));
  const child = spawn(file, ["127.0.0.1:0", now], { stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, address] = said.match(/serves at (\S+)\n/) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once("exit", (code) => reject(new Error(`the stand-in ended with ${code}: ${said}`)));
  });
  const folder = mkdtempSync(join(tmpdir(), "pavise-vendor-"));
  const key = join(folder, "key");
  writeFileSync(key, KEY);
  return {
    flags: ["--stripe-key-file", key, "--stripe-url", url],
    stop() {
      child.kill("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
