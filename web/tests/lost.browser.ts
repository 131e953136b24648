// A part of the app that is lost on its way comes back by itself, and a page that waits says so.
import type { Page } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { awaitedLater } from "./browser.ts";
import { familyOrder, familyPlan, newMember, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { asStaff, goWithin, rows, section, signIn } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Drops the first request for a file, and every further one if `always`. Returns the number of dropped ones. */
async function drop(page: Page, pattern: string, always = false) {
  const dropped = { count: 0 };
  await page.route(pattern, (route) => {
    if (dropped.count > 0 && !always) return route.continue();
    dropped.count += 1;
    return route.abort();
  });
  return dropped;
}

test.each(["**/console/assets/ListPage-*.js", "**/console/assets/Grid-*.css"])(
  "the console loads its page again when %s is dropped once",
  async (file) => {
    const { page, context } = await asStaff("/console/");
    await page.getByRole("heading", { name: "Where to?" }).waitFor();
    const dropped = await drop(page, file);
    await page.getByRole("navigation").getByRole("link", { name: "Orders", exact: true }).click();
    await rows(page).nth(1).waitFor();
    expect(dropped.count).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/console/r/orders/Order");
    expect(await page.getByRole("alert").count()).toBe(0);
    await context.close();
  },
);

test("a part that stays lost is said once, without a request's id, and asked for again", async () => {
  const { page, context } = await asStaff("/console/");
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  const dropped = await drop(page, "**/console/assets/ListPage-*.js", true);
  await goWithin(page, "/console/r/orders/Order?order=subtitle");
  const told = page.getByRole("alert");
  await told.getByText("Not available right now").waitFor();
  // The page was loaded again once, not for ever. Each load asks twice: ahead of time, and for the page.
  expect(dropped.count).toBeLessThanOrEqual(4);
  expect(await told.getByText("Request").count()).toBe(0);
  expect(await violationsInBoth(page, "a lost part")).toEqual([]);
  await page.unrouteAll();
  await told.getByRole("button", { name: "Try again" }).click();
  await rows(page).nth(1).waitFor();
  expect(page.url()).toContain("/console/r/orders/Order");
  await context.close();
});

test("the stylesheet of the first page is lost: the page is loaded again", async () => {
  const { page, close } = await visit();
  const dropped = await drop(page, "**/app/assets/index-*.css");
  await page.goto(`${server.url}/app/`);
  await page.getByRole("heading", { name: "Legal Plan" }).waitFor();
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.querySelectorAll("link")].every(({ rel, sheet }) => rel !== "stylesheet" || sheet !== null),
      ),
    )
    .toBe(true);
  expect(dropped.count).toBe(1);
  await close();
});

test.each(["/app/", "/console/"])("%s says that its program did not come, and loads it again", async (path) => {
  const { page, close } = await visit();
  const dropped = await drop(page, "**/assets/index-*.js", true);
  await page.goto(`${server.url}${path}`);
  const again = page.getByRole("link", { name: "Load it again" });
  await again.waitFor();
  expect(dropped.count).toBeGreaterThan(0);
  expect(await violationsInBoth(page, "no program")).toEqual([]);
  await page.unrouteAll();
  await again.click();
  await page.getByRole("heading").first().waitFor();
  expect(await again.count()).toBe(0);
  await close();
});

test("a console tab outlives a restart of the server", async () => {
  const { page, context } = await asStaff("/console/");
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  const back = awaitedLater(server.restart());
  // A second try begins with a server that is back.
  onTestFinished(() => back);
  await expect
    .poll(() =>
      fetch(server.url).then(
        () => true,
        () => false,
      ),
    )
    .toBe(false);
  // The code of this page was not loaded before.
  await page.getByRole("navigation").getByRole("link", { name: "Orders", exact: true }).click();
  // The code of the page is lost, or what it asks for, or neither: the server may be back before that.
  const told = page.getByText("Not available right now").or(page.getByText("You are offline"));
  await told.or(rows(page).nth(1)).first().waitFor({ timeout: 60_000 });
  await back;
  const again = page.getByRole("button", { name: "Try again" });
  if (await again.isVisible()) await again.click();
  await rows(page).nth(1).waitFor();
  expect(new URL(page.url()).pathname).toBe("/console/r/orders/Order");
  await context.close();
});

test("a list whose answer is held back says so after a while, and is asked for again", async () => {
  const { page, context, complaints } = await asStaff("/console/");
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  let held = 0;
  await page.route("**/pavise.orders.v1.OrderService/SearchOrders", (route) => {
    held += 1;
    return held === 1 ? undefined : route.continue();
  });
  await page.getByRole("navigation").getByRole("link", { name: "Orders", exact: true }).click();
  await page.getByText("Still waiting for an answer").waitFor();
  expect(await violationsInBoth(page, "a list that waits")).toEqual([]);
  await page.getByRole("button", { name: "Try again" }).click();
  await rows(page).nth(1).waitFor();
  expect(await page.getByText("Still waiting for an answer").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a page of the member app whose answer is held back says so, and its code too", async () => {
  const email = await newMember();
  await familyPlan(email);
  const { page, errors, close } = await visit({ width: 390, height: 844 });
  let held = 0;
  await page.route("**/pavise.billing.v1.InvoiceService/ListInvoices", (route) => {
    held += 1;
    return held === 1 ? undefined : route.continue();
  });
  await page.goto(`${server.url}/app/billing`);
  await signInAs(page, email);
  await page.getByText("Still waiting for an answer").first().waitFor();
  expect(await violationsInBoth(page, "billing that waits")).toEqual([]);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByText("Paid").first().waitFor();
  let parts = 0;
  await page.route("**/app/assets/ProfilePage-*.js", (route) => {
    parts += 1;
    return parts === 1 ? undefined : route.continue();
  });
  await page.goto(`${server.url}/app/profile`);
  await page.getByText("Still waiting for an answer").first().waitFor();
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  expect(errors).toEqual([]);
  await close();
});

/** Holds back the answers of a call until it is asked for again; `often` requests belong to the first time. */
async function holdBack(page: Page, pattern: string, often = 1) {
  const held = { count: 0 };
  await page.route(pattern, (route) => {
    held.count += 1;
    return held.count <= often ? undefined : route.continue();
  });
  return held;
}

/** The page says that it waits, and goes on when it is asked to. */
async function expectWaiting(page: Page, name: string) {
  const told = page.getByText("Still waiting for an answer").first();
  await told.waitFor();
  expect(await violationsInBoth(page, name)).toEqual([]);
  await page.getByRole("button", { name: "Try again" }).first().click();
}

test("the shop says that its prices are held back, and asks for them again", async () => {
  const { page, errors, close } = await visit({ width: 390, height: 844 });
  const wait = { over: false };
  await page.route("**/pavise.catalog.v1.OfferService/ValidateSelections", (route) =>
    wait.over ? route.continue() : undefined,
  );
  await page.goto(`${server.url}/app/`);
  await page.getByRole("heading", { name: "Legal Plan" }).waitFor();
  await page.getByText("Still waiting for an answer").first().waitFor();
  expect(await violationsInBoth(page, "prices that are held back")).toEqual([]);
  wait.over = true;
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByText("$").first().waitFor();
  await expect.poll(() => page.getByText("Still waiting for an answer").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

test("the console says that its contract is held back, and asks for it again", async () => {
  const { page, errors, close } = await visit();
  const held = await holdBack(page, "**/contract/index-*.binpb");
  await page.goto(`${server.url}/console/`);
  await signIn(page);
  await expectWaiting(page, "a contract that is held back");
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  expect(held.count).toBe(2);
  // The fields of a domain are held back with its first page.
  const fields = await holdBack(page, "**/contract/orders-*.binpb");
  await page.getByRole("navigation").getByRole("link", { name: "Orders", exact: true }).click();
  await expectWaiting(page, "the fields of a domain that are held back");
  await rows(page).nth(1).waitFor();
  expect(fields.count).toBe(2);
  expect(errors).toEqual([]);
  await close();
});

test.each([
  ["a record", "r/orders/Order", "History"],
  ["a desk", "desk/orders", "What can be done next"],
])("%s whose answer is held back says so, and is asked for again", async (name, path, part) => {
  const { order } = await familyOrder(await newMember());
  const { page, context, complaints } = await asStaff("/console/");
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  const wait = { over: false };
  for (const call of ["GetOrder", "ReadJournal", "GetTitles"])
    await page.route(`**/pavise.orders.v1.*/${call}`, (route) => (wait.over ? route.continue() : undefined));
  await goWithin(page, `/console/${path}/${order}`);
  await page.getByText("Still waiting for an answer").first().waitFor();
  expect(await violationsInBoth(page, `${name} that waits`)).toEqual([]);
  wait.over = true;
  await page.getByRole("button", { name: "Try again" }).first().click();
  await section(page, part).waitFor();
  await page.getByText("Open", { exact: true }).first().waitFor();
  await expect.poll(() => page.getByText("Still waiting for an answer").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a search for a record says that it waits, and is made again by keyboard", async () => {
  // With two of them, none is chosen by itself.
  await familyOrder(await newMember());
  await familyOrder(await newMember());
  const { page, context, complaints } = await asStaff("/console/desk/orders");
  const box = page.getByRole("combobox", { name: "Order", exact: true });
  await box.waitFor();
  await section(page, "Newest: Orders").getByRole("link").first().waitFor();
  const wait = { over: false };
  await page.route("**/pavise.orders.v1.OrderService/SearchOrders", (route) =>
    wait.over ? route.continue() : undefined,
  );
  await box.click();
  await page.keyboard.type("ada");
  const told = page.getByRole("option", { name: /^Still waiting for an answer/ });
  await told.waitFor();
  wait.over = true;
  const answered = awaitedLater(page.waitForResponse("**/SearchOrders"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await answered;
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option").first().waitFor();
  await expect.poll(() => told.count()).toBe(0);
  expect(await box.inputValue()).toBe("ada");
  expect(complaints).toEqual([]);
  await context.close();
});
