// Members read the truth about their cards, refunds, suspensions and people.
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { familyOrder, familyPlan, newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api, section } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 180_000 });

type Invoice = { id: string; status: string; total: { amount: string; currency: string } };

/** A page of the member app, signed in. */
async function memberAt(path: string, email: string) {
  const visited = await visit({ width: 1023 });
  await visited.page.goto(server.url + path);
  await signInAs(visited.page, email);
  return visited;
}

async function payWith(page: Page, number: string) {
  await page.getByRole("heading", { name: "Payment" }).waitFor();
  await page.getByRole("button", { name: `Use ${number}` }).click();
  await page.getByRole("button", { name: /^Pay \$/ }).click();
}

test("a declined card is marked, and offered last", async () => {
  const email = await newMember();
  const { order } = await familyOrder(email);
  const { page, errors, close } = await memberAt(`/app/orders/${order}`, email);
  await payWith(page, "4000 0000 0000 0002");
  await page.getByText("not enough money on this card").waitFor();
  await payWith(page, "4111 1111 1111 1111");
  await page.getByRole("heading", { name: "Your plan is active" }).waitFor({ timeout: 60_000 });
  await page.goto(`${server.url}/app/billing`);
  const cards = section(page, "Cards");
  await cards.getByText(/0002/).first().waitFor();
  await cards.getByText(/^Declined on/).waitFor();
  expect(await cards.getByText(/^Declined on/).count()).toBe(1);
  expect(await violationsInBoth(page, "a declined card")).toEqual([]);
  const again = await familyOrder(email);
  await page.goto(`${server.url}/app/orders/${again.order}`);
  const methods = page.getByRole("radiogroup", { name: "Pay with" });
  await methods.getByText("The last payment with it was declined", { exact: false }).waitFor();
  const [first = "", second = ""] = await methods
    .getByRole("radio")
    .evaluateAll((all) => all.map((radio) => radio.closest("label")?.textContent ?? ""));
  expect([first.includes("1111"), second.includes("0002"), second.includes("declined")]).toEqual([true, true, true]);
  expect(await methods.getByRole("radio").first().isChecked()).toBe(true);
  expect(errors).toEqual([]);
  await close();
});

test("a member sees what was given back, and which plan they have", async () => {
  const email = await newMember();
  await familyPlan(email);
  const [member, staff] = [await restOf(email, PASSWORD), await api()];
  const invoices = `/v1/identities/${member.id}/invoices`;
  const { invoices: all } = await member.get<{ invoices: Invoice[] }>(invoices);
  const paid = all.find(({ status }) => status === "PAID");
  await staff.post(`${invoices}/${paid?.id}/refund`, {
    amount: { currency: paid?.total.currency, amount: "1000" },
  });
  const { page, errors, close } = await memberAt("/app/billing", email);
  await page.getByText(/^\$10\.00 refunded on/).waitFor({ timeout: 30_000 });
  expect(await violationsInBoth(page, "a refund")).toEqual([]);
  await page.goto(`${server.url}/app/`);
  await page.getByRole("region", { name: "Legal Plan" }).getByText("You have Legal Plan – Family").waitFor();
  expect(errors).toEqual([]);
  await close();
});

test("a suspension for a payment leads to what is open, if anything is", async () => {
  const email = await newMember();
  await familyPlan(email);
  const [member, staff] = [await restOf(email, PASSWORD), await api()];
  const own = `/v1/identities/${member.id}`;
  const { subscriptions } = await member.get<{ subscriptions: { id: string }[] }>(`${own}/subscriptions`);
  await staff.post(`${own}/subscriptions/${subscriptions[0]?.id}/suspend?reason=PAYMENT`);
  const { page, errors, close } = await memberAt("/app/plans", email);
  await page.getByText("Nothing is open that you could pay now", { exact: false }).first().waitFor();
  expect(await page.getByRole("link", { name: "See what is open" }).count()).toBe(0);
  expect(await violationsInBoth(page, "a suspension without an invoice")).toEqual([]);
  await staff.post(`${own}/invoices`, {
    currency: "USD",
    items: [{ type: "ORDER", description: "A fee", amount: { currency: "USD", amount: "500" } }],
    dueOn: "2030-01-01",
  });
  await page.reload();
  await page.getByRole("link", { name: "See what is open" }).first().click();
  await section(page, "To pay").getByText("A fee").waitFor();
  expect(errors).toEqual([]);
  await close();
});

test("a plan with a spouse offers no second one", async () => {
  const email = await newMember();
  await familyPlan(email);
  const { page, errors, close } = await memberAt("/app/family", email);
  await page.getByText("Charles Example").waitFor();
  for (const opener of ["Invite somebody", "Add a child"]) {
    await page.getByRole("button", { name: opener }).click();
    const relation = page.getByRole("dialog").getByLabel("What they are to you");
    const spouse = relation.getByRole("option", { name: /^Spouse or partner/ });
    expect(await spouse.isDisabled()).toBe(true);
    expect(await spouse.textContent()).toBe("Spouse or partner (this plan has one)");
    expect(await relation.inputValue()).toBe("DEPENDENT");
    await page.keyboard.press("Escape");
  }
  expect(errors).toEqual([]);
  await close();
});
