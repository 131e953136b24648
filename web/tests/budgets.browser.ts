// What a first visit weighs: every script that the browser fetches until the first page can be used, as it is sent.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser } from "./browser.ts";
import { startServer, type Server } from "./server.ts";
import { visit } from "./visit.ts";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const KIB = 1024;
const STAFF = "staff@demo.pavise.example";

/** The scripts that a page fetches from now on, with their compressed sizes. */
function scripts(page: Page) {
  const fetched: Promise<{ name: string; size: number }>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() !== "script") return;
    const name = new URL(request.url()).pathname;
    fetched.push(request.sizes().then(({ responseBodySize }) => ({ name, size: responseBodySize })));
  });
  return async () => {
    await page.waitForLoadState("networkidle");
    const all = await Promise.all(fetched);
    const total = all.reduce((sum, { size }) => sum + size, 0) / KIB;
    const list = all.toSorted((one, other) => other.size - one.size).map(({ name, size }) => `${(size / KIB).toFixed(1)} ${name}`);
    return { total, list: list.join("\n") };
  };
}

/** Whether what was fetched is within a budget; what it was is said where it is not. */
async function expectWithin(budget: number, weight: ReturnType<typeof scripts>) {
  const { total, list } = await weight();
  process.stdout.write(`${total.toFixed(1)} KiB of ${budget}\n`);
  expect(total <= budget ? "" : list).toBe("");
}

test.each(["en-US", "fr-CA"])("the shop in %s, for whoever comes the first time", async (locale) => {
  const { page, errors, close } = await visit(browser, { locale });
  const weight = scripts(page);
  await page.goto(`${server.url}/app/`);
  await page.getByRole("button", { name: /Legal|juridique/ }).first().click();
  await page.getByRole("link", { name: /^(Continue|Continuer)$/ }).waitFor();
  await expectWithin(190, weight);
  expect(errors).toEqual([]);
  await close();
});

test("the console, from the sign-in to the first page", async () => {
  const { page, errors, close } = await visit(browser);
  const weight = scripts(page);
  await page.goto(`${server.url}/console/`);
  await page.getByLabel("E-mail address or user name").fill(STAFF);
  await page.getByLabel("Password").fill(server.password(STAFF));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await expectWithin(280, weight);
  expect(errors).toEqual([]);
  await close();
});
