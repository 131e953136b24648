// The desk of repricings: by keyboard, staff see what a new price changes, give it to running subscriptions, read the result
// for each, and withdraw it.
import { expect, test, vi } from "vitest";
import { legalPlan, newMember, PASSWORD } from "./people.ts";
import { restOf } from "./rest.ts";
import { asStaff, rows, section } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

vi.setConfig({ testTimeout: 240_000 });

type Price = { currency: string; amount: string };
type Plan = { id: string; items: { type: string; price: Price }[]; waitingPrices?: { price: Price }[] };

/** A member with a plan in a tier: its price, and the plan as it is now. */
async function memberWithPlan(tier: "family" | "individual") {
  const email = await newMember();
  await legalPlan(email, tier);
  const member = await restOf(email, PASSWORD);
  const own = `/v1/identities/${member.id}/subscriptions`;
  const plan = async () => (await member.get<{ subscriptions: Plan[] }>(own)).subscriptions[0];
  const price = (await plan())?.items.find(({ type }) => type === "PRODUCT")?.price;
  if (price === undefined) throw new Error("the plan has no price");
  return { price, plan };
}

let tries = 0;

const written = ({ amount }: Price) => (Number(amount) / 100).toFixed(2);

test("a new price is previewed, given, read for each subscription, and withdrawn", async () => {
  const [family, individual] = await Promise.all([memberWithPlan("family"), memberWithPlan("individual")]);
  // Each try has its own price, so that a second one finds its own repricing.
  tries += 1;
  const dear = { ...family.price, amount: String(9800 + 100 * tries) };
  const dollars = `$${written(dear)}`;
  const { page, context, complaints } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("Shift+N");
  await page.getByRole("heading", { name: "Repricing", level: 1 }).waitFor();
  expect(await violationsInBoth(page, "desk-repricings")).toEqual([]);
  const press = async (name: string | RegExp) => {
    await page.getByRole("button", { name, ...(typeof name === "string" ? { exact: true } : {}) }).focus();
    await page.keyboard.press("Enter");
  };
  await press("New repricing…");
  const form = page.getByRole("dialog", { name: "New price for running subscriptions" });
  const show = form.getByRole("button", { name: "Show what it changes" });
  expect(await show.isDisabled()).toBe(true);
  await form.getByRole("combobox", { name: "Product" }).focus();
  await page.keyboard.type("Legal Plan");
  const product = page.getByRole("option", { name: "Legal Plan", exact: true });
  await product.waitFor();
  for (let step = 0; step < 20 && (await product.getAttribute("data-focused")) === null; step += 1)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await form.getByRole("button", { name: /^Tier|Each tier/ }).waitFor();
  const [until, then] = ["Price of a billing period until then", "New price of a billing period"];
  await form.getByRole("textbox", { name: until }).fill(written(family.price));
  await form.getByRole("textbox", { name: then }).fill(written(family.price));
  await form.getByText("This is the price until then.").waitFor();
  expect(await show.isDisabled()).toBe(true);
  await form.getByRole("textbox", { name: then }).fill(written(dear));
  await form.getByText("Members hear of it 30 days before.").waitFor();
  await form.getByRole("textbox", { name: "Reason" }).fill("dearer lawyers");
  expect(await violationsInBoth(page, "desk-repricing-form")).toEqual([]);
  await show.focus();
  await page.keyboard.press("Enter");
  const preview = page.getByRole("alertdialog", { name: "New price for running subscriptions" });
  await preview.getByText(new RegExp(`^\\d+ × \\$${written(dear)} = \\$[\\d,.]+$`)).waitFor();
  await preview.getByRole("row").filter({ hasText: "Other price" }).waitFor();
  await preview.getByText("Each member gets one letter about the new price.").waitFor();
  expect(await violationsInBoth(page, "desk-repricing-preview")).toEqual([]);
  const give = preview.getByRole("button", { name: /^Give the new price to \d+$/ });
  const [, matching = ""] = /(\d+)$/.exec(await give.innerText()) ?? [];
  await give.focus();
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { name: `$${written(family.price)} → ${dollars}`, level: 1 }).waitFor();
  await page.getByText("Announced", { exact: true }).first().waitFor({ timeout: 60_000 });
  const facts = section(page, "How far it is");
  await facts.getByText("dearer lawyers").waitFor();
  expect(await facts.getByText("Repriced, and told by a letter").locator("xpath=following::dd[1]").innerText()).toBe(
    matching,
  );
  const [dearer, same] = await Promise.all([family.plan(), individual.plan()]);
  expect(dearer?.waitingPrices?.map(({ price }) => price.amount)).toEqual([dear.amount]);
  expect(same?.waitingPrices ?? []).toEqual([]);

  await rows(page).filter({ hasText: "Other price" }).first().waitFor();
  await section(page, "Results")
    .getByRole("button", { name: /Result/ })
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Repriced" }).focus();
  await page.keyboard.press("Enter");
  await rows(page).filter({ hasText: "Other price" }).first().waitFor({ state: "detached" });
  await rows(page).filter({ hasText: "Repriced" }).filter({ hasText: "Legal Plan" }).first().waitFor();
  expect(await violationsInBoth(page, "desk-repricing")).toEqual([]);

  await press("Withdraw repricing");
  const withdraw = page.getByRole("alertdialog", { name: "Withdraw repricing" });
  await withdraw.getByRole("button", { name: "Review" }).focus();
  await page.keyboard.press("Enter");
  await withdraw.getByText("Members who were told of the new price get no other letter.").waitFor();
  expect(await violationsInBoth(page, "desk-repricing-withdraw")).toEqual([]);
  await withdraw.getByRole("button", { name: "Withdraw repricing" }).focus();
  await page.keyboard.press("Enter");
  await withdraw.waitFor({ state: "detached" });
  await page.getByText("Withdrawn", { exact: true }).first().waitFor({ timeout: 60_000 });
  await section(page, "What can be done next").getByText("Nothing more: it is at its end.").waitFor();
  await vi.waitUntil(async () => ((await family.plan())?.waitingPrices ?? []).length === 0, { timeout: 30_000 });
  await page.getByRole("link", { name: "Repricing", exact: true }).last().focus();
  await page.keyboard.press("Enter");
  const line = page.getByRole("row").filter({ hasText: dollars });
  await line.getByText("Legal Plan").waitFor();
  await line.getByText("Withdrawn", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
