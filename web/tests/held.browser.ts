// A member with a plan: a second sale is asked about, a suspension is shown, and addresses must match their region.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { familyOrder, familyPlan, newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { asStaff, section } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

const PATIENCE = 180_000;

/** The member's app at an address, signed in. */
async function memberAt(path: string, email: string) {
  const visited = await visit({ width: 390, height: 844 });
  await visited.page.goto(`${server.url}/app/sign-in`);
  await signInAs(visited.page, email);
  await visited.page.getByRole("heading", { name: "What is covered" }).waitFor();
  await visited.page.goto(server.url + path);
  return visited;
}

async function pay(page: Page) {
  await page.getByRole("heading", { name: "Payment" }).waitFor();
  await page.getByRole("button", { name: /^Pay \$/ }).click();
}

test(
  "the shop marks the plan that a member has, and it is sold again only when they say so",
  async () => {
    const email = await newMember();
    await familyPlan(email);
    const { page, errors, close } = await memberAt("/app/", email);
    await page.getByRole("region", { name: "Legal Plan" }).getByText("You have Legal Plan – Family").waitFor();
    expect(await page.getByText(/^You have /).count()).toBe(1);
    expect(await violationsInBoth(page, "the shop of a member")).toEqual([]);

    const { order, member } = await familyOrder(email);
    await page.goto(`${server.url}/app/orders/${order}`);
    await page.getByText("You already have Legal Plan – Family").waitFor();
    await pay(page);
    await page.getByText("Say that you want it twice", { exact: false }).waitFor();
    expect(await violationsInBoth(page, "the question")).toEqual([]);
    const path = `/v2/identities/${member.id}/orders/${order}`;
    expect((await member.get<{ status: string }>(path)).status).toBe("OPEN");
    await page.getByText("I want to have it twice").click();
    await pay(page);
    await page.getByRole("heading", { name: "Your plan is active" }).waitFor({ timeout: 60_000 });
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "what the page does not know yet, the server refuses and the page asks",
  async () => {
    const email = await newMember();
    const { order } = await familyOrder(email);
    const { page, close } = await memberAt(`/app/orders/${order}`, email);
    await page.getByRole("heading", { name: "Payment" }).waitFor();
    // Meanwhile the plan is bought in another window.
    await familyPlan(email);
    await page
      .getByRole("button", { name: "Use 4111 1111 1111 1111" })
      .or(page.getByText("Visa ending in 1111"))
      .first()
      .click();
    await page.getByRole("button", { name: /^Pay \$/ }).click();
    await page.getByRole("alert").getByText("You already have a plan of this kind").waitFor();
    await page.getByText("I want to have it twice").waitFor();
    expect(await violationsInBoth(page, "a refused second plan")).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "staff say why they suspend a subscription, and the member reads it with what to do",
  async () => {
    const email = await newMember();
    await familyPlan(email);
    const member = await restOf(email, PASSWORD);
    const { subscriptions } = await member.get<{ subscriptions: { id: string }[] }>(
      `/v1/identities/${member.id}/subscriptions`,
    );
    const { page: desk, context } = await asStaff(
      `/console/r/billing/Subscription/${subscriptions[0]?.id}?owner=${member.id}`,
    );
    await desk.getByRole("heading", { name: "Subscription", level: 1 }).waitFor();
    await desk.getByRole("button", { name: "Suspend subscription" }).click();
    const dialog = desk.getByRole("dialog");
    await dialog.getByRole("button", { name: "Review" }).click();
    await dialog.getByText("Say why: the member will ask.").first().waitFor();
    await dialog.getByRole("button", { name: /Reason/ }).click();
    await desk.getByRole("option", { name: "Payment" }).click();
    await dialog.getByRole("button", { name: "Review" }).click();
    await dialog.getByText("Nothing is billed until the subscription is activated again.").waitFor();
    expect(await violationsInBoth(desk, "the review of a suspension")).toEqual([]);
    await dialog.getByRole("button", { name: "Suspend subscription" }).click();
    await section(desk, "History").getByText("Status changed").first().waitFor();
    await context.close();

    const { page, errors, close } = await memberAt("/app/plans", email);
    await page.getByText("Suspended: nothing is billed until it goes on.").waitFor();
    await page.getByText("Nothing is open that you could pay now", { exact: false }).first().waitFor();
    await page.getByText("Active, billing suspended").waitFor();
    expect(await page.getByText(/, next on /).count()).toBe(0);
    expect(await violationsInBoth(page, "a suspended subscription")).toEqual([]);
    await page.goto(`${server.url}/app/home`);
    await section(page, "What is next").getByText("Suspended: nothing is billed").waitFor();
    expect(await page.getByText("Next payment on").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "a postal code of another region is refused at its field, with the region that it is in; a name is checked, too",
  async () => {
    const email = await newMember();
    const { page, close } = await memberAt("/app/", email);
    await page.getByLabel("Where do you live?").selectOption("Texas");
    await page.getByRole("button", { name: "Choose Legal Plan, Individual" }).click();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Your choice" }).waitFor();
    await page.getByRole("region", { name: "Your order" }).getByText("$29.95").first().waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "About you" }).waitFor();
    await page.getByLabel("First name").fill("Ada <script>");
    await page.getByLabel("Last name").fill("Example");
    await page.getByLabel("Street and number").fill("1 Main Street");
    await page.getByLabel("City").fill("Ada");
    await page.getByLabel("ZIP code").fill("74820");
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await page.getByText("Shorten this name, and use neither < nor >.").waitFor();
    await page.getByLabel("First name").fill("Ada");
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await page.getByText("This code is in Oklahoma, and you chose Texas.", { exact: false }).waitFor();
    expect(
      await page
        .getByLabel("ZIP code")
        .evaluate((field) => field === document.activeElement && field.getAttribute("aria-invalid")),
    ).toBe("true");
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await violationsInBoth(page, "a postal code of another region")).toEqual([]);
    await page.getByLabel("ZIP code").fill("78701");
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await page.getByRole("heading", { name: "Payment" }).waitFor();
    await close();
  },
  PATIENCE,
);
