// Every page of both apps loads anew, signed in and not; a sign-out empties every tab.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "./browser.ts";
import { familyOrder, familyPlan, newMember, signInAs } from "./people.ts";
import { browser, server } from "./platform.ts";
import { asStaff, rows } from "./staff.ts";
import { visit } from "./visit.ts";

const PATIENCE = 180_000;
/** For the console, which has a page for each call and desk of a domain that its navigation leads to. */
const CONSOLE_PATIENCE = 600_000;

/** Answers the session first, an order in which pages once hung. */
async function answerSessionFirst(page: Page) {
  await page.route(/\/pavise\.(?!identity\.v1\.SessionService)[^/]*\/\w+$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await route.continue();
  });
}

/** The faults of a page after a while: no heading, a skeleton that stays, a refused part. */
async function wrongWith(page: Page): Promise<string[]> {
  const heading = page.getByRole("heading", { level: 1 }).first();
  const there = await heading.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  const waiting = page.locator('[class*="skeleton"]');
  const settled = await expect
    .poll(() => waiting.count(), { timeout: 10_000 })
    .toBe(0)
    .then(
      () => true,
      () => false,
    );
  const title = await page.title();
  const titled = there && title.startsWith(`${(await heading.textContent()) ?? ""}`);
  const refused = await page.getByRole("alert").allTextContents();
  return [
    ...(there ? [] : ["no heading"]),
    ...(titled ? [] : [`the title is ${title}`]),
    ...(settled ? [] : ["skeletons for ever"]),
    ...refused,
  ];
}

/** Loads each address anew. */
async function reloadEach(page: Page, paths: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const path of paths) {
    await page.goto(server.url + path);
    wrong.push(...(await wrongWith(page)).map((one) => `${path}: ${one}`));
  }
  return wrong;
}

const FAMILY = [
  "/app/home",
  "/app/plans",
  "/app/billing",
  "/app/family",
  "/app/profile",
  "/app/consents",
  "/app/security",
];

test(
  "every page of the member app",
  async () => {
    const { page, errors, close } = await visit();
    await answerSessionFirst(page);
    await page.goto(`${server.url}/app/`);
    await page.getByLabel("Where do you live?").selectOption("Texas");
    await page.getByRole("button", { name: "Choose Legal Plan, Family" }).click();
    await page.waitForURL(/cart=/);
    const { search } = new URL(page.url());
    const open = ["/app/", `/app/cart${search}`, `/app/checkout${search}`, "/app/nowhere"];
    expect(
      await reloadEach(page, [...open, "/app/sign-in", "/app/forgot-password", "/app/reset-password", ...FAMILY]),
    ).toEqual([]);
    const email = await newMember();
    await familyPlan(email);
    const { order } = await familyOrder(email);
    await page.goto(`${server.url}/app/sign-in`);
    await signInAs(page, email);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    expect(await reloadEach(page, [...open, `/app/orders/${order}`, ...FAMILY])).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "every page of the console",
  async () => {
    const stranger = await openPage(browser);
    expect(
      await reloadEach(stranger.page, [
        "/console/",
        "/console/r/orders/Order",
        "/console/sign-in",
        "/console/reset",
        "/console/sign-out",
      ]),
    ).toEqual([]);
    await stranger.context.close();
    const { page, context, complaints } = await asStaff();
    await page.getByRole("heading", { name: "Where to?" }).waitFor();
    const links = await page
      .getByRole("navigation")
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    // The gallery shows parts that are loading and parts that were refused.
    const paths = [...new Set(links)].filter(
      (path) => path.startsWith("/console/") && !/\/(sign-out|components)$/.test(path),
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(await reloadEach(page, [...paths, "/console/x/ProductService/CreateProduct", "/console/nowhere"])).toEqual(
      [],
    );
    expect(complaints).toEqual([]);
    await context.close();
  },
  CONSOLE_PATIENCE,
);

test("a sign-out empties every open tab, and so does somebody else's sign-in", async () => {
  const { page, close } = await visit();
  const [first, second] = [await newMember(), await newMember()];
  await page.goto(`${server.url}/app/profile`);
  await signInAs(page, first);
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${server.url}/app/profile`);
  await other.getByText(first).first().waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await other.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  expect(await other.getByText(first).count()).toBe(0);
  await signInAs(page, first);
  await page.getByText(first).first().waitFor();
  await other.goto(`${server.url}/app/profile`);
  await other.getByText(first).first().waitFor();
  // Another identity signs in over the current session, from a page of another app.
  const third = await page.context().newPage();
  await third.goto(`${server.url}/app/sign-in`);
  await signInAs(third, second);
  await page.getByText(second).first().waitFor();
  await other.getByText(second).first().waitFor();
  await close();
});

test("the console's tabs are emptied by a sign-out", async () => {
  const { page, context } = await asStaff("/console/r/orders/Order");
  await rows(page).nth(1).waitFor();
  const other = await context.newPage();
  await other.goto(`${server.url}/console/`);
  await other.getByRole("link", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  expect(await page.getByRole("grid").count()).toBe(0);
  await context.close();
});
