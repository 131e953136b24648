// The server and the browser that a file's tests share: started before the first test, stopped after the last.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startBrowser } from "./browser.ts";
import { startServer, type Server } from "./server.ts";

/** The server under test, set once it runs. */
export let server: Server;
/** The browser of the tests. */
export let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
