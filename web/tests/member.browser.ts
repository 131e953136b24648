// Further cases of members: another language, a closed session, an unreachable server, a plan that is ended.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ADDRESS_CODE, newEmail, PASSWORD, sentTo } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

/** The first group of the demonstration. */
const GROUP = "30000000-0000-4000-8000-000000000001";
const PATIENCE = 180_000;

type Billed = { id: string; offerId: string; items: { name: string }[]; billingPeriod: string };

/** The date in UTC, that many days from now. */
function daysAhead(days: number) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, "2026-11-22".length);
}

/** Signs up in the checkout, and returns the address. */
async function signUp(page: Page): Promise<string> {
  const email = newEmail();
  await page.goto(`${server.url}/app/`);
  await page.getByLabel("Where do you live?").selectOption("Texas");
  await page.getByRole("button", { name: "Choose Legal Plan, Individual" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Your choice" }).waitFor();
  await page.getByRole("region", { name: "Your order" }).getByText("$29.95").first().waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "About you" }).waitFor();
  return email;
}

async function fillDetails(page: Page): Promise<void> {
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Example");
  await page.getByLabel("Street and number").fill("1 Main Street");
  await page.getByLabel("City").fill("Austin");
  await page.getByLabel("ZIP code").fill("78701");
}

async function pay(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("heading", { name: "Payment" }).waitFor();
  await page.getByRole("button", { name: "Use 4111 1111 1111 1111" }).click();
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await page.getByRole("heading", { name: "Your plan is active" }).waitFor({ timeout: 60_000 });
}

test(
  "a server that is gone for a while takes nothing that was typed with it",
  async () => {
    const { page, close } = await visit();
    await signUp(page);
    await fillDetails(page);
    await page.route("**/pavise.orders.v1.OrderService/*", (route) => route.abort());
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await page.getByRole("alert").getByText("What you typed is kept", { exact: false }).waitFor();
    expect(await violationsInBoth(page, "the server is gone")).toEqual([]);
    await page.unrouteAll();
    await server.restart();
    expect(await page.getByLabel("Street and number").inputValue()).toBe("1 Main Street");
    await pay(page);
    await close();
  },
  PATIENCE,
);

test(
  "a closed session leads to the sign-in and back",
  async () => {
    const { page, errors, close } = await visit();
    const email = await signUp(page);
    await page.context().clearCookies();
    await page.goto(`${server.url}/app/billing`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await violationsInBoth(page, "the sign-in")).toEqual([]);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").getByText("The address or the password is not right", { exact: false }).waitFor();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Billing" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "a plan is ended by who has it and kept after all, and the sessions and the password are his",
  async () => {
    const { page, errors, close } = await visit({ width: 390, height: 844 });
    const email = await signUp(page);
    await fillDetails(page);
    await pay(page);
    await page.getByRole("link", { name: "See my plans" }).click();
    await page.getByRole("button", { name: /^Cancel plan/ }).click();
    await page.getByRole("alertdialog", { name: "Cancel this plan?" }).waitFor();
    expect(await violationsInBoth(page, "the cancellation")).toEqual([]);
    await page.getByRole("button", { name: "Cancel plan", exact: true }).click();
    await page.getByText(/^Ends on /).waitFor();

    await page.getByRole("button", { name: "Keep my plan: Legal Plan" }).click();
    await page.getByRole("dialog", { name: "Keep this plan?" }).waitFor();
    expect(await violationsInBoth(page, "keeping the plan")).toEqual([]);
    await page.getByRole("button", { name: "Let it end" }).click();
    await page.getByText(/^Ends on /).waitFor();
    await page.getByRole("button", { name: "Keep my plan: Legal Plan" }).click();
    await page.getByRole("button", { name: "Keep my plan", exact: true }).click();
    await page.getByText("You keep your plan.", { exact: false }).waitFor();
    await page.getByText(/, next on /).waitFor();
    expect(await page.getByText(/^Ends on /).count()).toBe(0);

    // A member cannot take back another party's end. The page says so, and names the remaining choices.
    const member = await restOf(email, PASSWORD);
    const path = `/v1/identities/${member.id}/subscriptions`;
    const { subscriptions } = await member.get<{ subscriptions: Billed[] }>(path);
    const [billed] = subscriptions;
    const staff = await api();
    await staff.post(`${path}/${billed?.id}/pendingCancel`);
    await page.reload();
    await page.getByText("You did not ask for this end", { exact: false }).waitFor();
    expect(await page.getByRole("button", { name: /Keep my plan/ }).count()).toBe(0);
    expect(await violationsInBoth(page, "an end that is not his")).toEqual([]);

    // An employer's last day is shown, precedes the last paid day, and stays when the member's request is taken back.
    const items = billed?.items.map((item) => ({ ...item, name: "Plan at work" }));
    const { offerId, billingPeriod } = billed ?? {};
    const atWork = await staff.post<Billed>(path, { offerId, billingPeriod, items, groupId: GROUP });
    await staff.post(`/v1/groups/${GROUP}${path.slice("/v1".length)}/${atWork.id}/scheduleCancellation`, {
      cancelOn: daysAhead(10),
      reason: "NO_LONGER_EMPLOYED",
    });
    const [year, , day] = daysAhead(9).split("-").map(Number);
    const last = new RegExp(` ${day}, ${year}`);
    await page.reload();
    const line = page.getByText("Plan at work", { exact: true }).locator("..");
    await line
      .getByText(/^Ends on /)
      .getByText(last)
      .waitFor();
    await page.getByRole("button", { name: "Cancel plan: Plan at work" }).click();
    await page
      .getByText(/goes on until/)
      .getByText(last)
      .waitFor();
    await page.getByRole("button", { name: "Cancel plan", exact: true }).click();
    await page.getByRole("button", { name: "Keep my plan: Plan at work" }).click();
    await page
      .getByText(/It still ends on/)
      .getByText(last)
      .waitFor();
    await page.getByRole("button", { name: "Keep my plan", exact: true }).click();
    await page.getByRole("button", { name: "Cancel plan: Plan at work" }).waitFor();
    await line
      .getByText(/^Ends on /)
      .getByText(last)
      .waitFor();
    expect(await violationsInBoth(page, "a day that was set")).toEqual([]);

    await page.goto(`${server.url}/app/security`);
    await page.getByText("This device").waitFor();
    await page.getByLabel("The password you have now").fill(PASSWORD);
    await page.getByLabel("The new password").fill("another horse of the sea");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("The password is changed", { exact: false }).waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "in French, in Canadian dollars, with a Canadian address",
  async () => {
    const { page, errors, close } = await visit({ width: 390, height: 844, locale: "fr-CA" });
    await page.goto(`${server.url}/app/`);
    await page.getByText("32,95 $").waitFor();
    await page.getByLabel("Où habitez-vous ?").selectOption("Ontario");
    await page.getByRole("button", { name: "Choisir Régime juridique, Individuel" }).click();
    await page.getByRole("link", { name: "Continuer" }).click();
    await page.getByRole("heading", { level: 1, name: "Votre choix" }).waitFor();
    await page.getByRole("region", { name: "Votre commande" }).getByText("32,95 $").first().waitFor();
    await page.getByRole("button", { name: "Continuer" }).click();
    await page.getByLabel("Adresse courriel").fill(newEmail());
    await page.getByLabel("Mot de passe").fill(PASSWORD);
    await page.getByRole("button", { name: "Créer le compte" }).click();
    await page.getByLabel("Prénom").fill("Ada");
    await page.getByLabel("Nom de famille").fill("Exemple");
    await page.getByLabel("Numéro et rue").fill("1, rue Principale");
    await page.getByLabel("Ville").fill("Ottawa");
    await page.getByLabel("Code postal").fill("K1A 0B1");
    await page.getByRole("button", { name: "Passer au paiement" }).click();
    await page.getByRole("button", { name: "Utiliser 4111 1111 1111 1111" }).click();
    await page.getByRole("button", { name: /^Payer / }).click();
    await page.getByRole("heading", { name: "Votre régime est actif" }).waitFor({ timeout: 60_000 });
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("fr-CA");
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "an address is confirmed on the first page, and a forgotten password chosen anew with the code from the message",
  async () => {
    const { page, close } = await visit();
    const email = await signUp(page);
    await page.goto(`${server.url}/app/home`);
    await page.getByText("Confirm your e-mail address").waitFor();
    expect(await violationsInBoth(page, "an address to confirm")).toEqual([]);
    await page.getByLabel("The code from the letter").fill("00000-00000");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("This code is not right, or not any more.").waitFor();
    await page.getByLabel("The code from the letter").fill(await sentTo(email, ADDRESS_CODE));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Confirm your e-mail address").waitFor({ state: "detached" });
    await page.context().clearCookies();
    await page.goto(`${server.url}/app/sign-in`);
    await page.getByRole("link", { name: "Choose a new password" }).click();
    const send = page.getByRole("button", { name: "Send me a code" });
    // The sign-in has a field of the same name.
    await send.waitFor();
    await page.getByLabel("E-mail address").fill(email);
    await send.click();
    await page.getByLabel("The code from the message").waitFor();
    expect(await violationsInBoth(page, "a new password")).toEqual([]);
    await page.goto(server.url + (await sentTo(email, /(\/app\/reset-password)/)));
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("The code from the message").fill(await sentTo(email, /password is (\S+)/));
    await page.getByLabel("New password").fill("another horse of the sea");
    await page.getByRole("button", { name: "Change my password" }).click();
    await page.getByRole("heading", { name: "Your password is changed" }).waitFor();
    await close();
  },
  PATIENCE,
);

test(
  "a site name opens the plans of its offer, and an unknown one says so",
  async () => {
    const { page, errors, close } = await visit();
    await page.goto(`${server.url}/app/plans/Small-Business`);
    await page.getByRole("heading", { level: 2, name: "Small Business Plan" }).waitFor();
    expect(await page.getByRole("heading", { level: 2 }).count()).toBe(1);
    expect(await violationsInBoth(page, "the page of a plan")).toEqual([]);
    await page.getByLabel("Where do you live?").selectOption("Texas");
    await page
      .getByRole("button", { name: /^Choose Small Business Plan/ })
      .first()
      .click();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Your choice" }).waitFor();
    await page.goto(`${server.url}/app/plans/nothing-here`);
    await page.getByRole("heading", { level: 1, name: "This page does not exist" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "a member saves the PDF of an invoice and the statement",
  async () => {
    const { page, errors, close } = await visit();
    await signUp(page);
    await fillDetails(page);
    await pay(page);
    await page.getByRole("link", { name: "See my plans" }).click();
    await page.goto(`${server.url}/app/billing`);
    const balance = page.getByRole("region", { name: "Balance" });
    await balance.getByText(/^(Owed|You owe nothing.*)$/).waitFor();
    const paper = page.getByRole("button", { name: /^PDF of INV-/ }).first();
    const [pdf] = await Promise.all([page.waitForEvent("download"), paper.press("Enter")]);
    expect(pdf.suggestedFilename()).toMatch(/^INV-\d\d-\d{6}\.pdf$/);
    expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe("%PDF-");
    const spreadsheet = page.getByRole("button", { name: "Save as spreadsheet" });
    const [csv] = await Promise.all([page.waitForEvent("download"), spreadsheet.press("Enter")]);
    expect(await readFile(await csv.path(), "utf8")).toContain(",PAYMENT,");
    expect(await violationsInBoth(page, "the papers of a member")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);
