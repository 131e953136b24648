// A card that is entered on the vendor's own page, by keyboard: the member is led there and back, and the card is in the list.
import { expect, onTestFinished, test, vi } from "vitest";
import { newMember, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { startVendor } from "./vendor.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 180_000 });

test("a member leaves the vendor's page without a card, and saves one there the next time", async () => {
  const vendor = await startVendor();
  onTestFinished(() => vendor.stop());
  await server.restart(...vendor.flags);
  const email = await newMember();
  const { page, errors, close } = await visit({ width: 390, height: 844 });
  // The vendor leads back to the public address, where the session must be.
  await page.goto(`${server.named}/app/sign-in`);
  await signInAs(page, email);
  await page.getByRole("heading", { name: "What is covered" }).waitFor();

  const press = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  const goToVendor = async () => {
    await page.goto(`${server.named}/app/billing`);
    await press("Add a card");
    await page.getByRole("dialog", { name: "Add a card on Stripe’s page" }).waitFor();
    await press("Go to Stripe");
    await page.getByRole("heading", { name: "Save a payment method" }).waitFor();
    expect(page.url().startsWith(server.named)).toBe(false);
  };
  const saved = page.getByText("Visa ending in 4242");

  await goToVendor();
  await press("Cancel");
  await page.getByRole("heading", { name: "Cards", exact: true }).waitFor();
  expect(page.url()).toBe(`${server.named}/app/billing`);
  await page.getByText("Add a card").first().waitFor();
  expect(await saved.count()).toBe(0);

  await goToVendor();
  await page.getByLabel("Name of the holder").focus();
  await page.keyboard.type("Ada Example");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Your card is saved").waitFor();
  expect(page.url()).toMatch(/\/app\/billing\?hostedEntry=\S+$/);
  await saved.waitFor();
  expect(await violationsInBoth(page, "a card saved at the vendor")).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
