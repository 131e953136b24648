// Faults appear beside their fields in words, and lists fill in their required filters themselves.
import { expect, test } from "vitest";
import { newEmail } from "./people.ts";
import { server } from "./platform.ts";
import { asStaff, rows } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

test("a refused password is said at its field, which takes the focus", async () => {
  const { page, close } = await visit();
  await page.goto(`${server.url}/app/`);
  await page.getByLabel("Where do you live?").selectOption("Texas");
  await page.getByRole("button", { name: "Choose Legal Plan, Individual" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Your choice" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("E-mail address").fill(newEmail());
  const password = page.getByLabel("Password");
  await password.fill("1234567890");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect.poll(() => password.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => password.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await password.getAttribute("maxlength")).toBe("128");
  expect(await violationsInBoth(page, "a refused password")).toEqual([]);
  await password.fill("12345678901");
  expect(await password.getAttribute("aria-invalid")).toBeNull();
  await close();
});

test("offers are listed by the only brand that there is", async () => {
  const { page, context, complaints } = await asStaff("/console/");
  await page.getByRole("navigation").getByRole("link", { name: "Offers" }).click();
  await rows(page).nth(1).waitFor();
  expect(await page.getByLabel("Brand").inputValue()).toBe("pavise");
  expect(new URL(page.url()).searchParams.get("brand")).toBe("pavise");
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a rule of the contract is said in words, and a field takes no more than the contract does", async () => {
  const { page, context } = await asStaff("/console/r/catalog/Offer");
  await rows(page).nth(1).waitFor();
  const brand = page.getByLabel("Brand");
  await brand.fill("Pavise!");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByText("Use only these characters: a–z 0–9 -").waitFor();
  await brand.fill("");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByText("This is needed.").waitFor();
  expect(await page.getByText("regex", { exact: false }).count()).toBe(0);
  await page.goto(`${server.url}/console/x/ProductService/CreateProduct`);
  expect(await page.getByLabel("Name", { exact: true }).getAttribute("maxlength")).toMatch(/^\d+$/);
  await context.close();
});
