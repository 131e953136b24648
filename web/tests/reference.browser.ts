// The reference of the REST calls under /docs/: read in both themes, at three widths, by keyboard.
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { openPage, violations } from "./browser.ts";
import { browser, server } from "./platform.ts";

vi.setConfig({ testTimeout: 180_000 });

async function atReference(width: number, service = "") {
  const watched = await openPage(browser, { width });
  await watched.page.goto(`${server.url}/docs/${service === "" ? "" : `?service=${service}`}`);
  await operations(watched.page).first().waitFor();
  return watched;
}

const operations = (page: Page) => page.locator(".opblock-summary-control");

/** Accessibility violations in either theme: the page follows the system's theme. */
async function violationsInBoth(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.waitForFunction(
      (dark) => document.documentElement.classList.contains("dark-mode") === dark,
      colorScheme === "dark",
    );
    found.push(...(await violations(page)).map((one) => `${colorScheme}: ${one}`));
    if (process.env["SCREENSHOTS"])
      await page.screenshot({
        path: `${process.env["SCREENSHOTS"]}/docs-${page.viewportSize()?.width}-${colorScheme}-${found.length}.png`,
      });
  }
  return found;
}

test.each([1440, 1023, 390])("at %i nothing keeps people out", async (width) => {
  const { page, context, complaints } = await atReference(width, "orders");
  expect(await page.title()).toBe("Pavise API: orders");
  expect(await violationsInBoth(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a service is chosen, a call is found and opened by keyboard alone", async () => {
  const { page, context, complaints } = await atReference(1440);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the calls");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("calls");
  await page.getByRole("navigation", { name: "Services" }).getByRole("link", { name: "orders", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/service=orders/);
  const call = page.getByRole("button", { name: /post \/v1\/orders\/search/i }).first();
  await call.waitFor();
  await call.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Responses" }).first().waitFor();
  await page.getByText("SearchOrders finds orders of all members", { exact: false }).first().waitFor();
  expect(await violationsInBoth(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a call that is opened keeps nobody out, whatever is looked at in it", async () => {
  const { page, context, complaints } = await atReference(390, "orders");
  const call = page.getByRole("button", { name: /post \/v1\/orders\/search/i }).first();
  await call.click();
  await page.getByRole("heading", { name: "Responses" }).first().waitFor();
  await page.getByRole("tab", { name: "Schema" }).first().click();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.getByRole("button", { name: "Try it out" }).first().click();
  await page.getByRole("button", { name: "Execute" }).first().waitFor();
  expect(await violationsInBoth(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});
