// The real server for browser tests: the built binary on SQLite with demonstration data, in a temporary folder.
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A running server. */
export interface Server {
  readonly url: string;
  /** The same server by the host name that passkeys are bound to. */
  readonly named: string;
  /** The address that shows messages when there is no mail server. */
  readonly admin: string;
  /** The password of a demonstration sign-in, by its name: `staff@demo.pavise.example`. */
  password(name: string): string;
  /** Stops the process and starts it again on the same data, with further flags if given. */
  restart(...further: string[]): Promise<void>;
  /** Stops the process and leaves its folder with the database. */
  leave(): Promise<string>;
  stop(): Promise<void>;
}

/** The variable with the folder that a stopped server left. */
export const PREPARED = "PAVISE_WEB_PREPARED";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A binary that `cargo build` made with further words. */
export function built(name: string, words: string): string {
  const file = join(process.env["CARGO_TARGET_DIR"] ?? join(root, "target"), "debug", name);
  if (!existsSync(file)) throw new Error(`${file} is missing: cargo build ${words}`);
  return file;
}

/** The binary under test: PAVISE_BIN, or what `cargo build` made. */
function binary(): string {
  return process.env["PAVISE_BIN"] ?? built("pavise", "--bin pavise");
}

/** A free port. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** Starts the server and waits until its demonstration data is there. */
export async function startServer(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "pavise-web-"));
  // A copy of a database with demonstration data starts faster than an empty one.
  const prepared = process.env[PREPARED];
  if (prepared !== undefined) cpSync(prepared, folder, { recursive: true });
  let [port, admin] = [0, 0];
  const passwords = new Map<string, string>();
  let running: ChildProcess | undefined;

  const start = (...further: string[]) =>
    new Promise<void>((resolve, reject) => {
      const flags = [
        "--demo-data",
        "--demo-members",
        "20",
        "--listen",
        `127.0.0.1:${port}`,
        "--admin-listen",
        `127.0.0.1:${admin}`,
        "--log",
        "warn",
        "--grace",
        "1",
        ...further,
      ];
      const child = spawn(
        binary(),
        ["serve", ...flags, "--database", `sqlite://${folder}/pavise.db`, "--web", join(root, "web/dist")],
        {
          env: { ...process.env, PAVISE_MESH_SECRET: "the secret of browser tests" },
          stdio: ["ignore", "ignore", "pipe"],
        },
      );
      running = child;
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        for (const [, name = "", password = ""] of said.matchAll(
          /(\S+@demo\.pavise\.example|demo-machine)\s+(\S+-\S+-\S+-\S+)/g,
        ))
          passwords.set(name, password);
        // The last sign-in is printed when all data is loaded.
        if (/demo-machine\s+\S+/.test(said)) resolve();
      });
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    });

  const stop = () =>
    new Promise<void>((resolve) => {
      if (running === undefined || running.exitCode !== null) resolve();
      else {
        running.once("exit", () => resolve());
        running.kill("SIGTERM");
      }
    });

  // Another process may take a port between the check and its use.
  for (let left = 5; running === undefined; left -= 1) {
    [port, admin] = [await freePort(), await freePort()];
    try {
      await start();
    } catch (error) {
      if (left === 1 || !String(error).includes("cannot listen on")) throw error;
      running = undefined;
    }
  }
  return {
    url: `http://127.0.0.1:${port}`,
    named: `http://localhost:${port}`,
    admin: `http://127.0.0.1:${admin}`,
    password: (name) => passwords.get(name) ?? "",
    async restart(...further) {
      await stop();
      await start(...further);
    },
    async leave() {
      await stop();
      return folder;
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
