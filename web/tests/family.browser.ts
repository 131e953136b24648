// A household: who is covered, somebody is invited, accepts, is added, and is taken off again.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser } from "./browser.ts";
import { familyPlan, newMember, PASSWORD, sentTo, signInAs } from "./people.ts";
import { startServer, type Server } from "./server.ts";
import { violationsInBoth, visit } from "./visit.ts";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const PATIENCE = 180_000;

async function atFamily(page: Page, email: string) {
  await page.goto(`${server.url}/app/family`);
  await signInAs(page, email);
  await page.getByRole("heading", { level: 2, name: "Legal Plan" }).waitFor();
}

test(
  "somebody is invited, accepts with an account of his own, is added, and is removed",
  async () => {
    const email = await newMember(server);
    await familyPlan(server, email);
    const holder = await visit(browser, { width: 1023 });
    await atFamily(holder.page, email);
    await holder.page.getByText("Charles Example").waitFor();
    expect(await violationsInBoth(holder.page, "the family")).toEqual([]);
    await holder.page.getByRole("button", { name: "Invite somebody" }).click();
    await holder.page.getByRole("button", { name: "Send the invitation" }).click();
    await holder.page.getByText("This is needed.").waitFor();
    const guestEmail = `grace-${crypto.randomUUID()}@example.com`;
    await holder.page.getByLabel("Name").fill("Grace Example");
    await holder.page.getByLabel("E-mail address").fill(guestEmail);
    expect(await violationsInBoth(holder.page, "an invitation")).toEqual([]);
    await holder.page.getByRole("button", { name: "Send the invitation" }).click();
    await holder.page.getByText(guestEmail).waitFor();
    await holder.page.getByRole("button", { name: "Send again: Grace Example" }).click();
    await holder.page.getByRole("alert").getByText("It was sent a moment ago").waitFor();
    expect(await violationsInBoth(holder.page, "the family with an invitation")).toEqual([]);

    const guest = await visit(browser, { width: 390, height: 844 });
    const address = await sentTo(server, guestEmail, /(\/app\/invitations\/\S+)/);
    await guest.page.goto(`${server.url}${address}`);
    await guest.page.getByLabel("The code from the letter").fill("0000-0000");
    await guest.page.getByRole("button", { name: "Continue" }).click();
    await guest.page.getByRole("alert").getByText("This code is not good").waitFor();
    expect(await violationsInBoth(guest.page, "a wrong code of an invitation")).toEqual([]);
    await guest.page.getByLabel("The code from the letter").fill(await sentTo(server, guestEmail, /code (\S+)/));
    await guest.page.getByRole("button", { name: "Continue" }).click();
    await guest.page.getByText("An invitation for Grace Example").waitFor();
    await guest.page.getByLabel("E-mail address").fill(guestEmail);
    await guest.page.getByLabel("Password").fill(PASSWORD);
    await guest.page.getByRole("button", { name: "Create account" }).click();
    await guest.page.getByRole("heading", { name: "Accept the invitation?" }).waitFor();
    expect(await violationsInBoth(guest.page, "to accept an invitation")).toEqual([]);
    await guest.page.getByRole("button", { name: "Accept" }).click();
    await guest.page.getByRole("heading", { name: "You have accepted" }).waitFor();
    expect(guest.errors).toEqual([]);
    await guest.close();

    await holder.page.reload();
    await holder.page.getByRole("button", { name: "Add to the plan: Grace Example" }).click();
    await holder.page.getByLabel("What Grace Example is to you").selectOption("Child or dependent");
    expect(await violationsInBoth(holder.page, "adding somebody")).toEqual([]);
    await holder.page.getByRole("dialog").getByRole("button", { name: "Add to the plan" }).click();
    await holder.page.getByRole("button", { name: "Remove Grace Example from the plan" }).waitFor();
    await holder.page.getByRole("button", { name: "Remove Charles Example from the plan" }).click();
    await holder.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await holder.page.getByRole("button", { name: "Remove Charles Example from the plan" }).waitFor({ state: "detached" });
    await holder.page.goto(`${server.url}/app/home`);
    await holder.page.getByText("Ada Example · Grace Example").waitFor();
    expect(holder.errors).toEqual([]);
    await holder.close();
  },
  PATIENCE,
);

test(
  "an invitation that was not accepted is withdrawn",
  async () => {
    const email = await newMember(server);
    await familyPlan(server, email);
    const { page, errors, close } = await visit(browser);
    await atFamily(page, email);
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByLabel("Name").fill("Joan Example");
    await page.getByLabel("E-mail address").fill(`joan-${crypto.randomUUID()}@example.com`);
    await page.getByLabel("Language of the letter").selectOption("Français (Canada)");
    await page.getByRole("button", { name: "Send the invitation" }).click();
    await page.getByRole("button", { name: "Withdraw the invitation of Joan Example" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
    await page.getByText("Joan Example").first().waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);
