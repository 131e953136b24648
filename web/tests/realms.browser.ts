// Each realm signs in where its pages are, and finds its own way around there.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser } from "./browser.ts";
import { startServer, type Server } from "./server.ts";
import { violationsInBoth, visit } from "./visit.ts";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const PATIENCE = 120_000;
const nameOf = (who: string) => `${who}@demo.pavise.example`;

test("a member finds plans, bills and family", async () => {
  const { page, errors, close } = await visit(browser);
  await page.goto(`${server.url}/app/home`);
  await page.getByLabel("E-mail address").fill(nameOf("member"));
  await page.getByLabel("Password").fill(server.password(nameOf("member")));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const places = page.getByRole("navigation");
  for (const place of ["Home", "My plans", "Billing", "Family", "Profile", "Security"]) {
    await places.getByRole("link", { name: place, exact: true }).waitFor();
  }
  expect(errors).toEqual([]);
  await close();
}, PATIENCE);

/** What each realm of the console sees, and what it does not. */
const REALMS = [
  ["staff", ["Orders", "Identities", "Journals", "Permissions"], []],
  ["partner", ["API explorer"], ["Journals", "Identities"]],
  ["admin", ["API explorer"], ["Journals", "Identities"]],
] as const;

test.each(REALMS)("%s signs in to the console and sees what is his", async (who, seen, unseen) => {
  const { page, errors, close } = await visit(browser);
  await page.goto(`${server.url}/console/`);
  await page.getByLabel("E-mail address or user name").fill(nameOf(who));
  await page.getByLabel("Password").fill(server.password(nameOf(who)));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const places = page.getByRole("navigation");
  for (const place of seen) await places.getByRole("link", { name: place, exact: true }).first().waitFor();
  for (const place of unseen) expect(await places.getByRole("link", { name: place, exact: true }).count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
}, PATIENCE);

test.each(["staff", "partner", "admin"])("%s is led from the member app to the console, or signs out there", async (who) => {
  const { page, errors, close } = await visit(browser, { width: 1023 });
  await page.goto(`${server.url}/app/home`);
  await page.getByLabel("E-mail address").fill(nameOf(who));
  await page.getByLabel("Password").fill(server.password(nameOf(who)));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "This page is for somebody else" }).waitFor();
  expect(await page.getByRole("link", { name: "Go to the console" }).getAttribute("href")).toBe("/console/");
  expect(await violationsInBoth(page, "somebody else’s page")).toEqual([]);
  await page.getByRole("button", { name: "Sign out, to sign in as somebody else" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(errors).toEqual([]);
  await close();
}, PATIENCE);
