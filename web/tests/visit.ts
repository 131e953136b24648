// A visitor of the member app, and the checks of each page.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { violations } from "./browser.ts";
import { browser } from "./platform.ts";

export type Visit = { width?: number; height?: number; theme?: "light" | "dark"; locale?: string };

/** A page of an unknown visitor, and its errors so far. */
export async function visit({ width = 1440, height = 900, theme = "light", locale = "en-US" }: Visit = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => errors.push(error.message));
  return { page, errors, close: () => context.close() };
}

/** The folder for pictures of the pages, if wanted: SCREENSHOTS=<folder>. */
const PICTURES = process.env["SCREENSHOTS"];

/** Accessibility violations in both themes. With a name it also takes pictures. The page's own theme is restored. */
export async function violationsInBoth(page: Page, name?: string): Promise<string[]> {
  const before = await page.evaluate(() => document.documentElement.dataset["theme"]);
  const found: string[] = [];
  for (const theme of ["light", "dark"]) {
    await page.evaluate((next) => (document.documentElement.dataset["theme"] = next), theme);
    // The theme's colours are there once the page was painted again.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
    found.push(...(await violations(page)).map((one) => `${theme}: ${one}`));
    if (PICTURES && name) {
      const file = `${name.replaceAll(" ", "-")}-${page.viewportSize()?.width ?? 0}-${theme}.png`;
      await page.screenshot({ path: join(PICTURES, file), fullPage: true });
    }
  }
  await page.evaluate((theme) => {
    if (theme) document.documentElement.dataset["theme"] = theme;
    else delete document.documentElement.dataset["theme"];
  }, before);
  return found;
}
