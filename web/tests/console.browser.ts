// The console in a real browser against the real server: what staff do every day.
import { describe, expect, test } from "vitest";
import { openPage, violations } from "./browser.ts";
import { browser, server } from "./platform.ts";
import { asStaff, rows, signIn, STAFF } from "./staff.ts";

test("a page is kept through the sign-in, and the tokens are out of reach of scripts", async () => {
  const { page, context, complaints } = await asStaff("/console/r/orders/Order?sort=status");
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  expect(new URL(page.url()).search).toBe("?sort=status");
  await rows(page).nth(5).waitFor();
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(/eyJ|token/i);
  expect((await context.cookies()).filter(({ httpOnly }) => httpOnly).length).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  await page.goto(`${server.url}/console/explorer`);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("a wrong password is said in words, and the name is kept", async () => {
  const { page, context } = await openPage(browser);
  await page.goto(`${server.url}/console/sign-in`);
  await page.getByLabel("E-mail address or user name").fill(STAFF);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("The name or the password is not right").waitFor();
  expect(await page.getByLabel("E-mail address or user name").inputValue()).toBe(STAFF);
  await context.close();
});

test("orders are listed, one is opened, its history says what was done", async () => {
  const { page, context, complaints } = await asStaff();
  await page.getByRole("navigation").getByRole("link", { name: "Orders" }).click();
  await rows(page).filter({ hasText: "Provisioned" }).first().click();
  await page.getByRole("heading", { name: "Order", level: 1 }).waitFor();
  const history = page.getByRole("region", { name: "History" });
  await history.getByText("Created").first().waitFor();
  expect(await history.getByRole("listitem").count()).toBeGreaterThan(0);
  await page.getByRole("heading", { name: "Related" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("a record is made, deleted after a review, and its history says so", async () => {
  const { page, context, complaints } = await asStaff("/console/x/ProductService/CreateProduct");
  await page.getByLabel("Name", { exact: true }).fill("Test plan");
  await page.getByRole("button", { name: /Family/ }).click();
  await page.getByRole("option", { name: "Legal" }).click();
  await page.getByRole("button", { name: "Create product" }).click();
  await page.getByRole("link", { name: "Open the record" }).click();
  await page.getByRole("heading", { name: "Product", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Delete product" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByRole("row", { name: /Status Created Deleted/ }).waitFor();
  await dialog.getByRole("button", { name: "Delete product" }).click();
  // The action, besides the status of the same word.
  await page
    .getByRole("list", { name: "History" })
    .locator("span", { hasText: /^Deleted$/ })
    .waitFor();
  expect(complaints.filter((one) => !one.includes("404"))).toEqual([]);
  await context.close();
});

test("of two editors the second sees what the first changed, and decides again", async () => {
  const { page, context } = await asStaff("/console/x/ProductService/CreateProduct");
  await page.getByLabel("Name", { exact: true }).fill("First name");
  await page.getByRole("button", { name: /Family/ }).click();
  await page.getByRole("option", { name: "Legal" }).click();
  await page.getByRole("button", { name: "Create product" }).click();
  await page.getByRole("link", { name: "Open the record" }).click();
  await page.getByRole("heading", { name: "Product", level: 1 }).waitFor();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "Actions" }).click();
  await other.getByRole("menuitem", { name: "Update product", exact: true }).click();
  await other.getByLabel("Name", { exact: true }).first().fill("Second name");
  await other.getByRole("button", { name: "Review" }).click();
  await other.getByRole("row", { name: /Name First name Second name/ }).waitFor();
  await other.getByRole("dialog").getByRole("button", { name: "Update product", exact: true }).click();
  await other.getByRole("region", { name: "History" }).getByText("Updated").waitFor();
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Delete product" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText("Somebody else changed it in the meantime").waitFor();
  await dialog.getByRole("row", { name: /Name First name Second name/ }).waitFor();
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByRole("button", { name: "Delete product" }).click();
  await page.getByText("This record was removed").waitFor();
  expect(await page.getByRole("button", { name: "Actions" }).count()).toBe(0);
  await context.close();
});

test("offline, the page says so and changes wait; back, they can be made", async () => {
  const { page, context } = await asStaff("/console/x/ProductService/CreateProduct");
  await page.getByLabel("Name", { exact: true }).fill("Later");
  await context.setOffline(true);
  await page.getByText("You are offline.").waitFor();
  expect(await page.getByRole("button", { name: "Create product" }).isDisabled()).toBe(true);
  await context.setOffline(false);
  await page.getByText("You are offline.").waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Create product" }).isEnabled()).toBe(true);
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Later");
  await context.close();
});

test("everything is found and done by keyboard", async () => {
  const { page, context, complaints } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("invoices");
  await page
    .getByRole("menuitem", { name: /Invoices/ })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Invoices", level: 1 }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  await rows(page).nth(3).waitFor();
  await page.getByRole("gridcell").first().focus();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByText("1 selected", { exact: false }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Order", level: 1 }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("Shift+O");
  await page.getByRole("heading", { name: "Order desk", level: 1 }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).getByText("g O", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  expect(complaints).toEqual([]);
  await context.close();
});

test("what is typed survives a session that ends, and a server that restarts", async () => {
  const { page, context } = await asStaff("/console/x/ProductService/CreateProduct");
  await page.getByLabel("Name", { exact: true }).fill("Half a plan");
  await context.clearCookies();
  await page.getByRole("button", { name: /Family/ }).click();
  await page.getByRole("option", { name: "Legal" }).click();
  await page.getByRole("button", { name: "Create product" }).click();
  await page.getByRole("dialog", { name: "Sign in" }).waitFor();
  await signIn(page);
  await page.getByRole("dialog", { name: "Sign in" }).waitFor({ state: "detached" });
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Half a plan");
  await server.restart();
  await page.getByRole("button", { name: "Create product" }).click();
  await page.getByRole("link", { name: "Open the record" }).waitFor();
  await context.close();
}, 240_000);

test("what is wrong is said beside its field and is not sent", async () => {
  const { page, context } = await asStaff("/console/x/OrderService/ListOrders");
  let sent = 0;
  page.on("request", (request) => (sent += request.url().endsWith("/ListOrders") ? 1 : 0));
  await page.getByLabel("Page size").fill("many");
  await page.getByRole("button", { name: "Read" }).click();
  await page.getByText("This is not a whole number.").first().waitFor();
  await page.getByText("This is needed.").first().waitFor();
  expect(sent).toBe(0);
  await context.close();
});

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  test("no screen keeps anybody out", async () => {
    const { page, context, complaints } = await asStaff("/console/", { theme });
    const found: Record<string, string[]> = {};
    const look = async (name: string) => {
      const wrong = await violations(page);
      if (wrong.length > 0) found[name] = wrong;
    };
    await page.getByRole("heading", { name: "Where to?" }).waitFor();
    await look("home");
    for (const path of ["r/orders/Order", "r/billing/Invoice", "journal/orders", "explorer", "permissions"]) {
      await page.goto(`${server.url}/console/${path}`);
      await rows(page).nth(1).waitFor();
      await look(path);
    }
    await page.goto(`${server.url}/console/x/OrderService/CreateOrder`);
    await page.getByRole("button", { name: "Create order" }).waitFor();
    await look("form");
    await page.goto(`${server.url}/console/r/orders/Order`);
    await rows(page).nth(1).click();
    await page.getByRole("region", { name: "History" }).waitFor();
    await look("record");
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("A page, something to do").waitFor();
    await look("palette");
    expect(found).toEqual({});
    expect(complaints).toEqual([]);
    await context.close();
  }, 120_000);
});

test.each([
  [1024, true],
  [1023, false],
])("at %d pixels the navigation is a side pane: %s", async (width, pane) => {
  const { page, context } = await asStaff("/console/", { width });
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  expect(await page.getByRole("navigation").getByRole("link", { name: "Orders" }).isVisible()).toBe(pane);
  if (!pane) {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation").getByRole("link", { name: "Orders" }).click();
    await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  }
  await context.close();
});

test("an administrator of a group sees what is his, a member is led to his own app", async () => {
  const admin = await asStaff("/console/", { name: "admin@demo.pavise.example" });
  await admin.page.getByRole("heading", { level: 1, name: "Harbor Logistics" }).waitFor();
  expect(await admin.page.getByRole("navigation").getByRole("link", { name: "Journals" }).count()).toBe(0);
  await admin.context.close();
  const member = await asStaff("/console/", { name: "member@demo.pavise.example" });
  await member.page.getByRole("link", { name: "Go to the member app" }).waitFor();
  await member.context.close();
});
