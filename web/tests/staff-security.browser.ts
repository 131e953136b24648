// Staff have the same security page as members: a second factor, recovery codes, the password, sessions.
import { expect, test, vi } from "vitest";
import { openPage } from "./browser.ts";
import { PASSWORD } from "./people.ts";
import { browser, server } from "./platform.ts";
import { newStaff, signIn } from "./staff.ts";
import { codeOf } from "./totp.ts";
import { violationsInBoth } from "./visit.ts";

vi.setConfig({ testTimeout: 180_000 });

/** An identity without a permission in the identity domain. */
const PARTNER = "partner@demo.pavise.example";

/** The console by the host name that passkeys are bound to. */
async function atSecurity(width: number, name: string, password?: string) {
  const watched = await openPage(browser, { width });
  await watched.page.goto(`${server.named}/console/`);
  await signIn(watched.page, name, password);
  return watched;
}

test("staff set up a second step, keep their recovery codes, and are asked for it", async () => {
  // Each try has its own staff: the second step stays.
  const name = await newStaff();
  const { page, context, complaints } = await atSecurity(1440, name, PASSWORD);
  await page.getByRole("link", { name: "Security" }).click();
  await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
  await page.getByText("This device").waitFor();
  expect(await violationsInBoth(page, "console-security")).toEqual([]);

  await page.getByRole("button", { name: "Add a second step" }).click();
  await page.getByRole("dialog").getByText("Authenticator app", { exact: true }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  const secret = await page.getByRole("dialog").locator("code").innerText();
  await page.getByLabel("Code of six digits").fill("000000");
  await page.getByRole("button", { name: "Check and turn on" }).click();
  await page.getByRole("alert").getByText("That is not right").waitFor();
  expect(await violationsInBoth(page, "console-security-app")).toEqual([]);
  await page.getByLabel("Code of six digits").fill(codeOf(secret));
  await page.getByRole("button", { name: "Check and turn on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" });
  await codes.waitFor();
  expect(await codes.getByRole("listitem").count()).toBe(10);
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText("10 codes left").waitFor();

  await page.getByLabel("The password you have now").fill("not the password");
  await page.getByLabel("The new password").fill("five gulls over the pier");
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByRole("alert").getByText("The password of now is not right.").waitFor();

  await page.getByRole("link", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  await page.goto(`${server.named}/console/security`);
  await signIn(page, name, PASSWORD);
  await page.getByLabel("Code of six digits").fill(codeOf(secret, 1));
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("Asked first").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test.each([1023, 390])("the page at %i, by keyboard, without any permission", async (width) => {
  const { page, context, complaints } = await atSecurity(width, PARTNER);
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("S");
  await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
  // One's own factors, sessions and password need no permission.
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Add a second step" }).waitFor();
  await main.getByText("This device").waitFor();
  await main.getByLabel("The password you have now").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  expect(await violationsInBoth(page, "console-security-partner")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});
