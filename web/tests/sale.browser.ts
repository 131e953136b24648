// A sale as a visitor does it: from the shop to an active plan, with a declined card first.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newEmail, PASSWORD } from "./people.ts";
import { server } from "./platform.ts";
import { violationsInBoth, visit } from "./visit.ts";

/** The time limit of a whole sale with two checks of every page. */
const PATIENCE = 240_000;

/** The checked pages with the violations of each. */
async function expectClean(page: Page, name: string): Promise<void> {
  const found = (await violationsInBoth(page, name)).map((one) => `${name}: ${one}`);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wider > 0) found.push(`${name}: ${wider} px wider than the window`);
  expect(found).toEqual([]);
}

/** The pages of a signed-in member. */
const PLACES = [
  ["plans", "My plans"],
  ["billing", "Billing"],
  ["family", "Family"],
  ["profile", "Profile"],
  ["consents", "Consents and messages"],
  ["security", "Security"],
] as const;

describe.each([1440, 1023, 390])("%i px wide", (width) => {
  test(
    "from the shop to an active plan, declined first",
    async () => {
      const { page, errors, close } = await visit({ width, height: width < 600 ? 844 : 900 });
      await page.goto(`${server.url}/app/`);
      await page.getByRole("heading", { name: "Legal Plan" }).waitFor();
      await expectClean(page, "the shop");
      await page.getByLabel("Where do you live?").selectOption("Texas");
      await page.getByRole("button", { name: "Choose Legal Plan, Family" }).click();
      await page.getByRole("button", { name: "Choose Identity Protection, Individual" }).click();
      await page.getByText("$49.90/month").waitFor();
      expect(page.url()).toMatch(/\/app\/\?cart=[A-Za-z0-9_-]+$/);
      await page.getByRole("link", { name: "Continue" }).click();

      await page.getByRole("heading", { name: "Your choice" }).waitFor();
      await page.getByRole("checkbox", { name: /Ride Share/ }).focus();
      await page.keyboard.press("Space");
      // 34.95 and 9.95 now, and half of the first month of 14.95.
      await page.getByText("$52.37").waitFor();
      await expectClean(page, "the cart");
      await page.getByRole("button", { name: "Continue" }).click();

      await page.getByRole("heading", { name: "Create your account" }).waitFor();
      await expectClean(page, "the account");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByText("Type an address such as ada@example.com.").waitFor();
      await page.getByLabel("E-mail address").fill(newEmail());
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Create account" }).click();

      await page.getByRole("heading", { name: "About you" }).waitFor();
      await page.getByLabel("First name").fill("Ada");
      await page.getByLabel("Last name").fill("Example");
      await page.getByLabel("Street and number").fill("1 Main Street");
      await page.getByLabel("City").fill("Austin");
      await page.getByLabel("ZIP code").fill("78701");
      await page.getByRole("button", { name: "Add a person" }).click();
      const person = page.getByRole("group", { name: "Person 1" });
      await person.getByLabel("First name").fill("Charles");
      await person.getByLabel("Last name").fill("Example");
      await expectClean(page, "the details");
      await page.getByRole("button", { name: "Continue to payment" }).click();

      await page.getByRole("heading", { name: "Payment" }).waitFor();
      expect(page.url()).not.toContain("Charles");
      await expectClean(page, "the payment");
      await page.getByRole("button", { name: "Use 4000 0000 0000 0002" }).click();
      await page.getByRole("button", { name: /^Pay \$/ }).click();
      await page.getByText("not enough money on this card").waitFor();
      await expectClean(page, "the decline");
      await page.getByLabel("Card number").fill("4111111111111111");
      await page.getByLabel("Expires").fill("1229");
      await page.getByLabel("Name on the card").fill("Ada Example");
      await page.getByRole("button", { name: /^Pay \$/ }).click();
      await page.getByRole("heading", { name: "Your plan is active" }).waitFor({ timeout: 60_000 });
      await expectClean(page, "the confirmation");

      await page.getByRole("link", { name: "Go to my account" }).click();
      await page.getByRole("heading", { name: "What is covered" }).waitFor();
      await page.getByText("Ada Example · Charles Example").waitFor();
      await page.getByText("Nothing. Everything is paid.").waitFor();
      await expectClean(page, "home");
      for (const [place, heading] of PLACES) {
        await page.goto(`${server.url}/app/${place}`);
        await page.getByRole("heading", { level: 1, name: heading }).waitFor();
        await page.waitForLoadState("networkidle");
        await expectClean(page, place);
      }
      expect(errors).toEqual([]);
      await close();
    },
    PATIENCE,
  );
});

test("a cart without a state says so, leads to the choice and focuses it", async () => {
  const { page, close } = await visit({ width: 390, height: 844 });
  await page.goto(`${server.url}/app/`);
  await page.getByRole("button", { name: "Choose Legal Plan, Family" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Your choice" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  const region = page.getByLabel("Where do you live?");
  await expect.poll(() => region.evaluate((select) => select === document.activeElement)).toBe(true);
  const box = await region.boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeLessThan(844);
  expect(await region.getAttribute("aria-invalid")).toBe("true");
  await expectClean(page, "the cart without a state");
  await close();
});

test(
  "by keyboard alone",
  async () => {
    const { page, errors, close } = await visit({ width: 1440 });
    await page.goto(`${server.url}/app/`);
    await page.getByRole("heading", { name: "Legal Plan" }).waitFor();

    /** Presses Tab until the element of that name has the focus. */
    async function reach(name: RegExp): Promise<void> {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press("Tab");
        const focused = await page.evaluate(() => {
          const element = document.activeElement;
          const labels = element?.getAttribute("aria-labelledby")?.split(" ") ?? [];
          const label = labels.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
          const own = (element as HTMLInputElement | null)?.labels?.[0]?.textContent;
          return element?.getAttribute("aria-label") ?? (label || own || element?.textContent || "");
        });
        if (name.test(focused)) return;
      }
      throw new Error(`the focus never came to ${String(name)}`);
    }
    /** A step's heading has the focus and names the document. */
    async function begun(name: string): Promise<void> {
      await page.getByRole("heading", { level: 1, name }).waitFor({ timeout: 60_000 });
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
      expect(await page.title()).toBe(`${name} · Pavise`);
    }
    const press = async (key = "Enter") => page.keyboard.press(key);
    const type = async (name: RegExp, text: string) => {
      await reach(name);
      await page.keyboard.type(text);
    };

    await reach(/Where do you live/);
    await page.keyboard.type("Texas");
    await reach(/^Choose Legal Plan, Individual/);
    await press("Space");
    await page.getByRole("link", { name: "Continue" }).waitFor();
    await reach(/^Continue$/);
    await press();
    await begun("Your choice");
    await page.getByRole("region", { name: "Your order" }).getByText("$29.95").first().waitFor();
    await reach(/^Continue$/);
    await press("Space");
    await begun("Create your account");
    await type(/E-mail address/, newEmail());
    await type(/Password/, PASSWORD);
    await press();
    await begun("About you");
    await type(/First name/, "Ada");
    await type(/Last name/, "Example");
    await type(/Street and number/, "1 Main Street");
    await type(/City/, "Austin");
    await type(/ZIP code/, "78701");
    await press();
    await begun("Payment");
    await type(/Card number/, "4111111111111111");
    await type(/Expires/, "1229");
    await reach(/Name on the card/);
    await press();
    await begun("Your plan is active");
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);
