// The console in the reader's language, including the contract's terms.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { termsIn } from "../packages/i18n/src/contract/load.ts";
import { server } from "./platform.ts";
import { STAFF } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

/** The visible names on the page: labels, columns, headings, buttons. */
function names(page: Page): Promise<string[]> {
  return page.locator("label, legend, [role=columnheader], h1, h2, h3, dt, main button").allInnerTexts();
}

test.each([
  ["es-US", "Pedidos", "Crear pedido"],
  ["fr-CA", "Commandes", "Créer une commande"],
] as const)(
  "lists, forms and records in %s say no English names",
  async (locale, orders, create) => {
    const terms = Object.assign({}, ...Object.values(await termsIn(locale.slice(0, 2)))) as Readonly<
      Record<string, string>
    >;
    const { page, errors, close } = await visit({ locale });
    await page.goto(`${server.url}/console/r/orders/Order`);
    await page.locator("input[autocomplete=username]").fill(STAFF);
    await page.locator("input[name=password]").fill(server.password(STAFF));
    await page.locator("button[type=submit]").click();
    await page.getByRole("heading", { level: 1, name: orders }).waitFor();
    await page.getByRole("grid").getByRole("row").nth(2).waitFor();
    const english = async () =>
      (await names(page))
        .flatMap((text) => text.split("\n"))
        .filter((text) => terms[text] !== undefined && terms[text] !== text);
    expect(await english()).toEqual([]);
    await page.goto(`${server.url}/console/x/OrderService/CreateOrder`);
    await page.getByRole("heading", { level: 1, name: create }).waitFor();
    expect(await english()).toEqual([]);
    expect(await violationsInBoth(page, `a form in ${locale}`)).toEqual([]);
    await page.goto(`${server.url}/console/r/orders/Order`);
    await page.getByRole("grid").getByRole("row").nth(2).click();
    await page.getByRole("region").first().waitFor();
    expect(await english()).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  },
  120_000,
);
