// Bulk operations: each row by itself, stopped and continued, and failed rows tried again.
import { beforeAll, expect, test, vi } from "vitest";
import { newMember, PASSWORD } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api, asStaff, rows } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

// Each test visits several pages, and checks them in both themes.
vi.setConfig({ testTimeout: 180_000 });

type Product = { id: string; name: string; status: string };

beforeAll(async () => {
  const staff = await api();
  for (const name of ["Bulk 1", "Bulk 2", "Bulk 3"]) await staff.post("/v1/products", { name, family: "Shipping" });
});

test("products are taken off sale: some are, one is left, what failed is tried again", async () => {
  const { page, context } = await asStaff("/console/r/catalog/Product?by=ListProducts&family=7&sort=name");
  await rows(page).nth(3).waitFor();
  const calls: string[] = [];
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*ProductService/DeactivateProduct", async (route) => {
    calls.push(route.request().headers()["idempotency-key"] ?? "");
    // The first call is lost; the second is held until the test presses stop.
    if (calls.length === 1) return route.abort();
    if (calls.length === 2) await held;
    return route.continue();
  });
  const staff = await api();
  const { products } = await staff.get<{ products: Product[] }>("/v1/products?family=Shipping");
  // A first try may have left one on sale.
  for (const { id, name, status } of products)
    if (["Bulk 1", "Bulk 2"].includes(name) && status !== "ACTIVE") await staff.post(`/v1/products/${id}/activate`);
  await page.getByRole("button", { name: "Refresh" }).click();
  await rows(page)
    .filter({ has: page.getByText("Active", { exact: true }) })
    .nth(1)
    .waitFor();
  for (const name of ["Bulk 1", "Bulk 2", "Bulk 3"])
    await rows(page).filter({ hasText: name }).getByRole("checkbox").check();
  await page.getByRole("button", { name: "With 3 selected" }).click();
  const item = page.getByRole("menuitem", { name: "Deactivate product" });
  await item.getByText("allowed for 2 of 3").waitFor();
  await item.click();
  const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
  await dialog.getByRole("button", { name: "Do it for 3" }).click();
  await dialog.getByText("1 of 3").waitFor();
  await dialog.getByRole("button", { name: "Stop" }).click();
  release?.();
  await dialog.getByText("Stopped").waitFor();
  await dialog.getByText("Done: it is Inactive now").waitFor();
  expect(calls.length).toBe(2);
  await dialog.getByRole("button", { name: "Go on with 1" }).click();
  await dialog.getByText("Left as it is: not allowed while it is Created").waitFor();
  await dialog.getByText("1 done, 1 could not be done, 1 left as they are").waitFor();
  expect(await violationsInBoth(page, "bulk")).toEqual([]);
  await dialog.getByRole("button", { name: "Try the 1 failed again" }).click();
  await dialog.getByText("2 done, 0 could not be done, 1 left as they are").waitFor();
  // The lost call is retried with the same key, so it cannot take effect twice.
  expect(calls[2]).toBe(calls[0]);
  expect(calls.length).toBe(3);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await rows(page).filter({ hasText: "Inactive" }).nth(1).waitFor();
  expect(await page.getByRole("button", { name: /With \d selected/ }).count()).toBe(0);
  await context.close();
});

test("one postal code for many subscriptions never moves one to another country", async () => {
  const staff = await api();
  const { id: owner } = await restOf(await newMember(), PASSWORD);
  const own = `/v1/identities/${owner}/subscriptions`;
  const subscribe = (currency: string, administrativeArea: string, postalCode: string) =>
    staff.post<{ id: string }>(own, {
      offerId: "20000000-0000-4000-8000-000000000001",
      billingPeriod: "MONTHLY",
      items: [{ type: "PRODUCT", productId: "p", name: administrativeArea, price: { currency, amount: "100" } }],
      administrativeArea,
      postalCode,
    });
  const texan = await subscribe("USD", "TX", "75001");
  const canadian = await subscribe("CAD", "ON", "K1A 0B1");
  const { page, context } = await asStaff(
    `/console/r/billing/Subscription?by=ListSubscriptions&identity_id=${owner}&sort=status`,
  );
  await rows(page).nth(2).waitFor();
  for (const row of [1, 2]) await rows(page).nth(row).getByRole("checkbox").check();
  await page.getByRole("button", { name: "With 2 selected" }).click();
  await page.getByRole("menuitem", { name: "Update subscription postal code" }).click();
  const dialog = page.getByRole("dialog");
  const code = dialog.getByRole("textbox", { name: "Postal code" });
  // One record's value is no value for all.
  expect(await code.inputValue()).toBe("");
  await code.click();
  await page.keyboard.type("78701");
  await dialog.getByRole("button", { name: "Do it for 2" }).click();
  await dialog.getByText("1 done, 1 could not be done, 0 left as they are").waitFor();
  await dialog.getByText("is in TX, not in ON", { exact: false }).waitFor();
  expect(await violationsInBoth(page, "bulk-postal-code")).toEqual([]);
  type Subscription = { postalCode: string };
  expect((await staff.get<Subscription>(`${own}/${texan.id}`)).postalCode).toBe("78701");
  expect((await staff.get<Subscription>(`${own}/${canadian.id}`)).postalCode).toBe("K1A 0B1");
  await context.close();
});

test("a record is chosen by its name, not by its id", async () => {
  const { page, context, complaints } = await asStaff("/console/r/orders/Order?by=ListOrders");
  const owner = page.getByRole("combobox", { name: "Identity" });
  await owner.fill("member@demo.pavise.example");
  await page.getByRole("option").filter({ hasText: "member@demo" }).click();
  expect(await owner.inputValue()).toMatch(/^[A-Z]\p{L}+ [A-Z]\p{L}+$/u);
  expect(await violationsInBoth(page, "picker")).toEqual([]);
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await rows(page).nth(1).waitFor();
  expect(new URL(page.url()).searchParams.get("identity_id")).toMatch(/^[0-9a-f-]{36}$/);
  await page.goto(`${server.url}/console/x/OfferService/AddProducts`);
  await page.getByLabel("Brand").fill("pavise");
  await page.getByRole("combobox", { name: "Offer" }).click();
  await page.keyboard.type("legal");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const offer = page.getByRole("combobox", { name: "Offer" });
  expect(await offer.inputValue()).toMatch(/legal/i);
  await page.getByRole("button", { name: "Add: Products" }).click();
  await page.getByRole("combobox", { name: "Product", exact: true }).fill("Identity");
  await page
    .getByRole("option", { name: /Identity/ })
    .first()
    .click();
  expect(await page.getByRole("combobox", { name: "Product", exact: true }).inputValue()).toMatch(/Identity/);
  expect(complaints).toEqual([]);
  await context.close();
});
