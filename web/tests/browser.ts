// Chromium for tests: Debian's, without any connection to the outside.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: FLAGS });
}

/** A page with its errors. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings of the console, and uncaught errors. */
  readonly complaints: string[];
}

/**
 * A promise that a test awaits later. When the test fails before that, the promise fails with the page, and must not fail
 * the second try with it.
 */
export function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Opens a page and records its errors. */
export async function openPage(
  browser: Browser,
  options: { theme?: "light" | "dark"; width?: number; height?: number } = {},
): Promise<Watched> {
  const { theme = "light", width = 1440, height = 900 } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: "en-US",
    timezoneId: "America/Chicago",
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, context, complaints };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The accessibility violations of a page under WCAG 2.2 AA, each as "rule: elements". */
export async function violations(page: Page): Promise<string[]> {
  // Fading elements have an intermediate contrast. So running animations are finished, and further ones
  // do not start during the check.
  const moving = await page.evaluate(() => !matchMedia("(prefers-reduced-motion: reduce)").matches);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
  await page.evaluate(axe);
  await highlighted(page);
  let keepOut = await keepsOut(page);
  // New results came during the check, and replaced the highlighted entry.
  if (keepOut.some((one) => one.includes("aria-activedescendant"))) {
    await highlighted(page);
    keepOut = await keepsOut(page);
  }
  if (moving) await page.emulateMedia({ reducedMotion: "no-preference" });
  return keepOut;
}

/** Waits until the highlighted entry of each list is there. New results replace entries, and the highlight follows. */
async function highlighted(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[aria-activedescendant]")].every((field) => {
      const entry = field.getAttribute("aria-activedescendant") ?? "";
      return entry === "" || document.getElementById(entry) !== null;
    }),
  );
}

/** The violations that axe finds, without those of lists whose field takes the focus. */
async function keepsOut(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };
    const runner = (globalThis as unknown as { axe: { run: (context: object, options: object) => Promise<Found> } })
      .axe;
    const found = await runner.run(
      { exclude: [["[data-live-announcer]"]] },
      { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] } },
    );
    // Arrow keys reach the choices under a text field: the list itself takes no focus.
    const left = found.violations.filter(
      ({ id, nodes }) =>
        id !== "scrollable-region-focusable" || !nodes.every(({ html }) => /role="(menu|listbox)"/.test(html)),
    );
    return left.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ""}`)
          .join(" | ")}`,
    );
  });
}
