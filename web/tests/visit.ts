// A visitor of the member app, and what every test asks of each of its pages.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { violations } from "./browser.ts";
import { browser } from "./platform.ts";

export type Visit = { width?: number; height?: number; theme?: "light" | "dark"; locale?: string };

/** A page of a visitor whom nobody knows, and what went wrong on it so far. */
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

/** Where pictures of the pages are put, when somebody wants them: SCREENSHOTS=<folder>. */
const PICTURES = process.env["SCREENSHOTS"];

/** What keeps people out in either theme; with a name for it, a picture of each is taken too. The page is put back into the one it had. */
export async function violationsInBoth(page: Page, name?: string): Promise<string[]> {
  const before = await page.evaluate(() => document.documentElement.dataset["theme"]);
  const found: string[] = [];
  for (const theme of ["light", "dark"]) {
    await page.evaluate((next) => (document.documentElement.dataset["theme"] = next), theme);
    // The colours are those of the theme once the page was painted again.
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
