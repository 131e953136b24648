// The weight of a first visit: every script fetched until the first page is usable, compressed as sent.
import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { awaitedLater } from "./browser.ts";
import { server } from "./platform.ts";
import { signIn } from "./staff.ts";
import { visit } from "./visit.ts";

const KIB = 1024;
/** The most that the contract's index may weigh, for fourteen domains. It is no script, and cached for ever. */
const INDEX = 100;
/** The scripts that a page fetches from here on, with their compressed sizes. */
function scripts(page: Page) {
  const fetched: Promise<{ name: string; size: number }>[] = [];
  const weigh = (request: Request) => {
    if (request.resourceType() !== "script") return;
    const name = new URL(request.url()).pathname;
    fetched.push(awaitedLater(request.sizes().then(({ responseBodySize }) => ({ name, size: responseBodySize }))));
  };
  page.on("requestfinished", weigh);
  return async () => {
    await page.waitForLoadState("networkidle");
    // Later requests belong to no first visit, and cannot be weighed once the page is closed.
    page.off("requestfinished", weigh);
    const all = await Promise.all(fetched);
    const total = all.reduce((sum, { size }) => sum + size, 0) / KIB;
    const list = all
      .toSorted((one, other) => other.size - one.size)
      .map(({ name, size }) => `${(size / KIB).toFixed(1)} ${name}`);
    return { total, list: list.join("\n") };
  };
}

/** Checks the fetched size against a budget, and reports the size on failure. */
async function expectWithin(budget: number, weight: ReturnType<typeof scripts>) {
  const { total, list } = await weight();
  process.stdout.write(`${total.toFixed(1)} KiB of ${budget}\n`);
  expect(total <= budget ? "" : list).toBe("");
}

test.each(["en-US", "fr-CA"])("the shop in %s, for whoever comes the first time", async (locale) => {
  const { page, errors, close } = await visit({ locale });
  const weight = scripts(page);
  await page.goto(`${server.url}/app/`);
  await page
    .getByRole("button", { name: /Legal|juridique/ })
    .first()
    .click();
  await page.getByRole("link", { name: /^(Continue|Continuer)$/ }).waitFor();
  await expectWithin(191, weight);
  expect(errors).toEqual([]);
  await close();
});

test("the console, from the sign-in to the first page", async () => {
  const { page, errors, close } = await visit();
  const weight = scripts(page);
  const parts: Promise<readonly [string, number]>[] = [];
  page.on("requestfinished", (request) => {
    const [, part] = /\/contract\/([a-z]+)-\w+\.binpb$/.exec(request.url()) ?? [];
    if (part !== undefined)
      parts.push(awaitedLater(request.sizes().then(({ responseBodySize }) => [part, responseBodySize / KIB] as const)));
  });
  await page.goto(`${server.url}/console/`);
  await signIn(page);
  const signedIn = performance.now();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  process.stdout.write(`from the sign-in to the first page: ${(performance.now() - signedIn).toFixed(0)} ms\n`);
  await expectWithin(266, weight);
  // Of the contract it fetches the index alone, without the fields of any domain.
  const fetched = await Promise.all(parts);
  expect(fetched.map(([part]) => part)).toEqual(["index"]);
  const [[, index] = ["", 0]] = fetched;
  process.stdout.write(`the contract's index: ${index.toFixed(1)} KiB of ${INDEX}\n`);
  expect(index).toBeLessThanOrEqual(INDEX);
  // A domain's fields come with its first page, once.
  await page.getByRole("navigation").getByRole("link", { name: "Orders", exact: true }).click();
  await page.getByRole("grid").getByRole("row").nth(1).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Order desk", exact: true }).click();
  await page.getByRole("heading", { name: "Order desk" }).waitFor();
  expect((await Promise.all(parts)).map(([part]) => part).filter((part) => part === "orders")).toEqual(["orders"]);
  expect((await Promise.all(parts)).map(([part]) => part)).not.toContain("catalog");
  expect(errors).toEqual([]);
  await close();
});
