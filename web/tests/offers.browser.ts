// An offer that is for sale: its places are one choice, and its editor reads what follows before anything changes.
import { expect, test, vi } from "vitest";
import { server } from "./platform.ts";
import { api, asStaff } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

type Offer = { id: string; status: string; availableLocalities?: string[] };

/** An offer for sale in some places only. */
async function offerOnSale(): Promise<Offer> {
  const staff = await api();
  const { offers } = await staff.get<{ offers: Offer[] }>("/v1/brands/pavise/offers?status=AVAILABLE_FOR_SALE");
  const some = offers.find(({ availableLocalities = [] }) => availableLocalities.length > 20);
  if (some === undefined) throw new Error("no offer is sold in some places only");
  return some;
}

test("the places of an offer are one choice by keys, and the review says that it is taken off sale", async () => {
  const offer = await offerOnSale();
  const count = offer.availableLocalities?.length ?? 0;
  const { page, context, complaints } = await asStaff(`/console/r/catalog/Offer/${offer.id}?brand=pavise`);
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Update available localities" }).click();
  const dialog = page.getByRole("dialog", { name: "Update available localities" });
  const places = dialog.getByRole("listbox", { name: "Available localities" });
  await dialog.getByText(new RegExp(`^${count} of \\d+ chosen$`)).waitFor();
  expect(await dialog.getByRole("combobox").count()).toBe(0);
  expect(await violationsInBoth(page, "the places of an offer")).toEqual([]);
  const texas = places.getByRole("option", { name: "TX", exact: true });
  expect(await texas.getAttribute("aria-selected")).toBe("true");
  await dialog.getByRole("button", { name: "None" }).click();
  await dialog.getByText(/^0 of \d+ chosen$/).waitFor();
  // Typed letters find a place, and Enter chooses it.
  await page.keyboard.press("Tab");
  await page.keyboard.type("TX");
  await expect.poll(() => texas.evaluate((option) => option === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await dialog.getByText(/^1 of \d+ chosen$/).waitFor();
  expect(await texas.getAttribute("aria-selected")).toBe("true");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText("What follows:").waitFor();
  await dialog
    .getByText("If it is for sale, nobody can buy it until it is reviewed and made ready for sale again.")
    .waitFor();
  expect(await violationsInBoth(page, "the review of an offer on sale")).toEqual([]);
  await page.keyboard.press("Escape");
  const staff = await api();
  expect((await staff.get<Offer>(`/v1/brands/pavise/offers/${offer.id}`)).status).toBe("AVAILABLE_FOR_SALE");
  expect(complaints).toEqual([]);
  await page.goto(`${server.url}/console/`);
  await context.close();
});
