// A member changes their plan by keyboard: they see the amount before, pay it, and take a change back that waits.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { legalPlan, newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { violationsInBoth, visit } from "./visit.ts";

/** Changes are taken up once a minute. */
const PATIENCE = 300_000;

type Billed = { items: { amount: { amount: string } }[]; billingKey: string; total: { amount: string } };

/** Opens the dialog, and chooses the plan with that name. */
async function choose(page: Page, name: RegExp) {
  await page.getByRole("button", { name: /^Change plan: Legal Plan/ }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Change Legal Plan/ });
  await dialog.getByRole("button", { name: /New plan/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("Next bill on", { exact: false }).waitFor();
  return dialog;
}

test(
  "a member changes the plan for the amount that they saw, and withdraws a change that waits",
  async () => {
    const email = await newMember();
    await legalPlan(email, "individual");
    const member = await restOf(email, PASSWORD);
    const own = `/v1/identities/${member.id}`;
    const { page, errors, close } = await visit({ width: 390, height: 844 });
    await page.goto(`${server.url}/app/plans`);
    await signInAs(page, email);

    const dear = await choose(page, /^Legal Plan · Family/);
    await dear.getByText("Unused days of the plan until now").waitFor();
    await dear.getByText("Charged today").waitFor();
    expect(await violationsInBoth(page, "a change of plan")).toEqual([]);
    const confirm = dear.getByRole("button", { name: /^Change and pay \$/ });
    const [, shown = ""] = /\$([\d.]+)/.exec(await confirm.innerText()) ?? [];
    await confirm.focus();
    await page.keyboard.press("Enter");
    await dear.waitFor({ state: "detached" });
    await page.getByText("Your plan is being changed to", { exact: false }).waitFor();
    const tier = async () => {
      const { entitlements } = await member.get<{ entitlements: { tierId: string }[] }>(`${own}/entitlements`);
      return entitlements[0]?.tierId;
    };
    await expect.poll(tier, { timeout: 150_000 }).toBe("family");
    const { invoices } = await member.get<{ invoices: Billed[] }>(`${own}/invoices`);
    const charged = invoices.find(({ billingKey }) => billingKey.startsWith("change/"));
    expect((Number(charged?.total.amount) / 100).toFixed(2)).toBe(shown);

    await page.reload();
    const cheap = await choose(page, /^Legal Plan · Individual/);
    await cheap.getByRole("radio", { name: /^Today/ }).focus();
    await page.keyboard.press("ArrowDown");
    await cheap.getByText("Charged on", { exact: false }).waitFor();
    await cheap.getByRole("button", { name: "Change plan", exact: true }).focus();
    await page.keyboard.press("Enter");
    await cheap.waitFor({ state: "detached" });
    const withdraw = page.getByRole("button", { name: /^Withdraw the change/ });
    await withdraw.waitFor();
    expect(await violationsInBoth(page, "a change that waits")).toEqual([]);
    await withdraw.focus();
    await page.keyboard.press("Enter");
    await withdraw.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Change plan: Legal Plan/ }).waitFor();
    expect(await tier()).toBe("family");
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);
