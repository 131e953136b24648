// Saved views: kept by the server, present after a new sign-in, shared by link, safe against two writers.
import type { Page } from "playwright-core";
import { beforeEach, expect, test, vi } from "vitest";
import { server } from "./platform.ts";
import { api, asStaff, rows } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

// Each test visits several pages, and checks them in both themes.
vi.setConfig({ testTimeout: 180_000 });

// The order of a list and the theme are kept, and a further press chooses the other one: each try begins without any.
beforeEach(async () => {
  const staff = await api();
  await staff.put(`/v1/identities/${staff.id}/consolePreferences`);
});

const PRODUCTS = "/console/r/catalog/Product";

/** A name of a view. Each try has its own, so that a second one finds its own view. */
const ofThisTry = (name: string) => `${name} ${crypto.randomUUID()}`;

const menu = (page: Page, name: string | RegExp) => page.getByRole("main").getByRole("button", { name });
const saved = (page: Page, name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });

async function choose(page: Page, view: string | RegExp, item: string) {
  await menu(page, view).click();
  await page.getByRole("menuitem", { name: item }).click();
}

const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset["theme"]);

async function onlyLegal(page: Page) {
  await page.getByRole("button", { name: /Family/ }).click();
  await page.getByRole("option", { name: "Legal" }).click();
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.waitForURL(/family=/);
}

test("a view is saved, seen again after signing in anew, renamed and deleted", async () => {
  const [name, later] = [ofThisTry("Legal plans"), ofThisTry("Plans of law")];
  const first = await asStaff(PRODUCTS);
  await rows(first.page).nth(2).waitFor();
  await onlyLegal(first.page);
  await first.page.getByRole("columnheader", { name: "Name", exact: true }).click();
  await first.page.getByRole("button", { name: "Compact" }).click();
  await first.page.waitForURL(/density=compact/);
  await choose(first.page, "Views", "Save as a new view…");
  const dialog = first.page.getByRole("dialog", { name: "Save as a new view" });
  await dialog.getByLabel("Name").fill(name);
  expect(await violationsInBoth(first.page, "views-save")).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await saved(first.page, name).waitFor();
  expect(first.complaints).toEqual([]);
  await first.context.close();

  const again = await asStaff();
  await saved(again.page, name).click();
  await again.page.waitForURL(/family=.*sort=name|sort=name.*family=/);
  await menu(again.page, new RegExp(name)).waitFor();
  await rows(again.page).nth(1).waitFor();
  expect(await again.page.getByRole("button", { name: "Compact" }).getAttribute("aria-pressed")).toBe("true");
  expect(await again.page.getByRole("columnheader", { name: "Name", exact: true }).getAttribute("aria-sort")).toBe(
    "ascending",
  );
  expect(await violationsInBoth(again.page, "views-list")).toEqual([]);

  await choose(again.page, new RegExp(name), "Rename…");
  await again.page.getByRole("dialog").getByLabel("Name").fill(later);
  await again.page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await saved(again.page, later).waitFor();
  await choose(again.page, new RegExp(later), "Delete the view…");
  await again.page.getByRole("alertdialog").getByRole("button", { name: "Delete the view" }).click();
  await saved(again.page, later).waitFor({ state: "detached" });
  await menu(again.page, "Views").waitFor();
  await again.page.reload();
  await rows(again.page).nth(1).waitFor();
  expect(await saved(again.page, later).count()).toBe(0);
  expect(again.complaints).toEqual([]);
  await again.context.close();
});

test("a list begins with the view that was chosen for it, and its link leads there", async () => {
  const name = ofThisTry("From Z to A");
  const { page, context, complaints } = await asStaff(`${PRODUCTS}?sort=-name`);
  await rows(page).nth(2).waitFor();
  await choose(page, "Views", "Save as a new view…");
  const dialog = page.getByRole("dialog", { name: "Save as a new view" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByText("Begin the list with it").click();
  await dialog.getByText("Share it with all staff").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await saved(page, name).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Offers" }).click();
  await page.getByRole("heading", { name: "Offers", level: 1 }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Products" }).click();
  await page.waitForURL(/sort=-name/);
  await menu(page, new RegExp(name)).waitFor();
  const link = await saved(page, name).getAttribute("href");
  expect(link).toMatch(/\?view=[0-9a-f-]+$/);
  await choose(page, new RegExp(name), "Do not begin with it");
  await page.getByText("The list begins as it is").waitFor();
  await page.goto(`${server.url}${link ?? ""}`);
  await page.waitForURL(/sort=-name/);
  expect(complaints).toEqual([]);
  await context.close();
});

test("of two who change a view the second sees what the first made of it, and decides", async () => {
  const name = ofThisTry("Of two");
  const { page, context } = await asStaff(`${PRODUCTS}?sort=name`);
  await rows(page).nth(2).waitFor();
  await choose(page, "Views", "Save as a new view…");
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await menu(page, new RegExp(name)).waitFor();
  const other = await context.newPage();
  await other.goto(page.url());
  await rows(other).nth(2).waitFor();
  for (const one of [other, page]) {
    await one.getByRole("columnheader", { name: "Name", exact: true }).click();
    await one.waitForURL(/sort=-name/);
    await menu(one, new RegExp(`${name} · changed`)).waitFor();
  }
  await page.getByRole("button", { name: "Compact" }).click();
  await choose(other, new RegExp(name), "Save the changes");
  await other.getByText(`Saved: ${name}`).waitFor();
  await choose(page, new RegExp(name), "Save the changes");
  const theirs = page.getByRole("dialog", { name: "The view was changed in the meantime" });
  await theirs.getByText("-name").first().waitFor();
  expect(await violationsInBoth(page, "views-two")).toEqual([]);
  await theirs.getByRole("button", { name: "Save mine over it" }).click();
  await page.getByText(`Saved: ${name}`).waitFor();
  await menu(page, new RegExp(`^${name}$`)).waitFor();
  await context.close();
});

test("the theme, the columns and the order of a list follow to another browser", async () => {
  const list = "/console/r/fulfillment/Provision";
  const first = await asStaff(list);
  await rows(first.page).nth(1).waitFor();
  const kept = async (choice: () => Promise<unknown>) => {
    await Promise.all([first.page.waitForResponse(/PutConsolePreferences/), choice()]);
  };
  await kept(() => first.page.getByRole("columnheader", { name: "Status" }).click());
  await first.page.getByRole("button", { name: "Columns" }).click();
  await kept(() => first.page.getByRole("menuitemcheckbox", { name: "Updated at" }).click());
  await first.page.keyboard.press("Escape");
  await first.page.getByRole("columnheader", { name: "Updated at" }).waitFor({ state: "detached" });
  await first.page.getByRole("heading", { name: "Provisions", level: 1 }).click();
  await kept(() => first.page.keyboard.press("t"));
  expect(await theme(first.page)).toBe("dark");

  const other = await asStaff(list);
  await other.page.waitForURL(/sort=status/);
  await rows(other.page).nth(1).waitFor();
  await expect.poll(() => theme(other.page)).toBe("dark");
  expect(await other.page.getByRole("columnheader", { name: "Status" }).getAttribute("aria-sort")).toBe("ascending");
  expect(await other.page.getByRole("columnheader", { name: "Updated at" }).count()).toBe(0);
  expect([...first.complaints, ...other.complaints]).toEqual([]);
  await Promise.all([other.page.waitForResponse(/PutConsolePreferences/), other.page.keyboard.press("t")]);
  await first.context.close();
  await other.context.close();
});

test("a list shows how many records it has, by its filters", async () => {
  const staff = await api();
  const count = async (more = "") => {
    const { totalSize } = await staff.get<{ totalSize: number }>(`/v1/provisions?showTotal=true&pageSize=1${more}`);
    return String(totalSize);
  };
  const [all, completed] = [await count(), await count("&status=COMPLETED")];
  const { page, context, complaints } = await asStaff("/console/r/fulfillment/Provision?sort=-status");
  const shown = page.locator("h1 + span");
  await expect.poll(() => shown.innerText()).toBe(all);
  await page.getByRole("button", { name: /Status/ }).click();
  await page.getByRole("option", { name: "Completed" }).click();
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await expect.poll(() => shown.innerText()).toBe(completed);
  expect(complaints).toEqual([]);
  await context.close();
});
