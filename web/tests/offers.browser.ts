// An offer that is for sale: its places are one choice, and its editor reads what follows before anything changes.
import type { Locator } from "playwright-core";
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

/** The legal and identity plans that are sold directly in the United States. */
const PERSONAL = "20000000-0000-4000-8000-000000000001";

/** Opens an edit of an offer from its record. */
async function opened(id: string, edit: string) {
  const { page, ...watched } = await asStaff(`/console/r/catalog/Offer/${id}?brand=pavise`);
  const menu = page.getByRole("button", { name: "Actions" });
  await menu.waitFor();
  // The first actions have a button of their own.
  const button = page.getByRole("button", { name: edit, exact: true });
  if ((await button.count()) > 0) await button.click();
  else {
    await menu.click();
    await page.getByRole("menuitem", { name: edit }).click();
  }
  return { ...watched, page, dialog: page.getByRole("dialog", { name: edit, exact: true }) };
}

/** Reviews the edit, and finds what follows from it. */
async function expectConsequences(dialog: Locator) {
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText("What follows:").waitFor();
  await dialog
    .getByText("If it is for sale, nobody can buy it until it is reviewed and made ready for sale again.")
    .waitFor();
  await dialog.getByText("Orders and plans that were made from it stay as they are.").waitFor();
}

async function expectOnSale(id: string) {
  const staff = await api();
  expect((await staff.get<Offer>(`/v1/brands/pavise/offers/${id}`)).status).toBe("AVAILABLE_FOR_SALE");
}

/** The edits of the other parts of an offer: what is filled in of each, and what the review shows of it. */
const EDITS: readonly (readonly [string, (dialog: Locator) => Promise<void>, string])[] = [
  ["Update offer", async (dialog) => dialog.getByRole("textbox", { name: /^Market/ }).fill("everybody"), "everybody"],
  [
    "Add products",
    async (dialog) => {
      // It begins without the products that the offer has: they cannot be added again.
      await dialog.getByRole("button", { name: "Add: Products" }).waitFor();
      expect(await dialog.getByRole("button", { name: /^Remove: Products \d+$/ }).count()).toBe(0);
      await dialog.getByRole("button", { name: "Add: Products" }).click();
      await dialog.getByRole("combobox", { name: "Product", exact: true }).fill("Small Business");
      await dialog
        .page()
        .getByRole("option", { name: /Small Business/ })
        .first()
        .click();
    },
    "Products 3 › Product",
  ],
  [
    "Update products",
    async (dialog) => {
      await dialog
        .getByRole("button", { name: /Provision type/ })
        .first()
        .click();
      await dialog.page().getByRole("option", { name: "On first use" }).click();
    },
    "On first use",
  ],
];

test.each(EDITS)("%s: the review of an offer on sale says what follows", async (edit, fill, shown) => {
  const { page, context, complaints, dialog } = await opened(PERSONAL, edit);
  await fill(dialog);
  await expectConsequences(dialog);
  await dialog.getByText("This would change:").waitFor();
  await dialog.getByText(shown).first().waitFor();
  await dialog.getByText("Needs review").first().waitFor();
  expect(await violationsInBoth(page, `the review of ${edit}`)).toEqual([]);
  await expectOnSale(PERSONAL);
  expect(complaints).toEqual([]);
  await context.close();
});

test("the places of an offer are one choice by keys, and the review says that it is taken off sale", async () => {
  const offer = await offerOnSale();
  const count = offer.availableLocalities?.length ?? 0;
  const { page, context, complaints, dialog } = await opened(offer.id, "Update available localities");
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
  await expectConsequences(dialog);
  expect(await violationsInBoth(page, "the review of an offer on sale")).toEqual([]);
  await page.keyboard.press("Escape");
  await expectOnSale(offer.id);
  expect(complaints).toEqual([]);
  await page.goto(`${server.url}/console/`);
  await context.close();
});
