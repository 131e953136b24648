// The server and the browser that the tests of a file share: started before the first of them, stopped after the last.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startBrowser } from "./browser.ts";
import { startServer, type Server } from "./server.ts";

/** The server under test; whoever imports it sees it once it runs. */
export let server: Server;
/** The browser that the tests look at it with. */
export let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
