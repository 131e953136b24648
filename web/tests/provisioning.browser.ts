// Provisioning repair: a failure is corrected and retried, a collision is resolved, until everything is set up.
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { server } from "./platform.ts";
import { api, asStaff, rows, section } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

// Each test visits several pages, and checks them in both themes.
vi.setConfig({ testTimeout: 180_000 });

const PLAN = { offerId: "20000000-0000-4000-8000-000000000001", brand: "pavise" };
const LINE = {
  productId: "10000000-0000-4000-8000-000000000001",
  tierId: "family",
  name: "Legal Plan",
  family: "lgl",
  renewalPrice: { currency: "USD", amount: "3495" },
  billingPeriod: "MONTHLY",
};

/** The id of an order and the name of its offer. Each try has its own, so that a second one finds its own provision. */
function ofThisTry(name: string) {
  const id = crypto.randomUUID();
  return { id, name: `${name} (${id})` };
}

/** A member with a card; staff find the payment method by its last digits. */
async function memberWithCard(staff: Awaited<ReturnType<typeof api>>) {
  const { identities } = await staff.get<{ identities: { id: string }[] }>("/v1/identities?realm=User&pageSize=200");
  const member = identities.at(-1)?.id ?? "";
  const card = { brand: "VISA", last4: "4242", expiryMonth: 12, expiryYear: 2099, holderName: "Ada Example" };
  await staff.post(`/v1/identities/${member}/paymentMethods`, {
    type: "CREDIT_CARD",
    vendor: "TEST",
    vendorToken: "test_4111111111111111",
    card,
  });
  return member;
}

test("a failed provisioning says why, is set right, tried again and completed", async () => {
  const staff = await api();
  const member = await memberWithCard(staff);
  const { id, name } = ofThisTry("Plan to repair");
  await staff.post("/v1/provision", {
    ...PLAN,
    identityId: member,
    orderId: id,
    orderOfferId: id,
    offerName: name,
    lines: [LINE],
    paymentMethodId: "gone",
  });
  const { page, context, complaints } = await asStaff("/console/desk/provisioning");
  const row = rows(page).filter({ hasText: name });
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return row.count();
    })
    .toBe(1);
  await row.getByText("there is no payment method gone").waitFor();
  expect(await violationsInBoth(page, "desk-provisions")).toEqual([]);
  await row.click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await page.getByRole("main").getByText("there is no payment method gone").first().waitFor();
  await section(page, "How far it is").getByText("failed here").waitFor();
  expect(await violationsInBoth(page, "desk-provision-failed")).toEqual([]);
  await section(page, "What can be done next").getByRole("button", { name: "Update provision fields" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: /Payment method/ }).fill("4242");
  await page.getByRole("option", { name: /4242/ }).first().click();
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByRole("row", { name: /Payment method/ }).waitFor();
  await dialog.getByRole("button", { name: "Update provision fields" }).click();
  await dialog.waitFor({ state: "detached" });
  await section(page, "What to do about it").getByRole("button", { name: "Try again" }).click();
  await page
    .getByRole("dialog")
    .getByText(/It is queued and goes on from/)
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
  await page.getByText("It is at its end; nothing is left to do.").waitFor();
  await section(page, "How far it is").getByText("Completed").waitFor();
  await section(page, "What happened").getByText("Provision · Process").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("an authorized user with somebody else's address is told apart", async () => {
  const staff = await api();
  const member = await memberWithCard(staff);
  const spouse = { relationType: "SPOUSE", firstName: "Pat", lastName: "Example", email: "member@demo.pavise.example" };
  const { id, name } = ofThisTry("Plan with a collision");
  const address = `pat.example-${id}@members.pavise.example`;
  await staff.post("/v1/provision", {
    ...PLAN,
    identityId: member,
    orderId: id,
    orderOfferId: id,
    offerName: name,
    lines: [LINE],
    authorizedUsers: [spouse],
  });
  const { page, context, complaints } = await asStaff("/console/desk/provisioning");
  const row = rows(page).filter({ hasText: name });
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return row.count();
    })
    .toBe(1);
  await row.click();
  await page.getByRole("heading", { name: "The same person, or another?" }).waitFor();
  await page.getByText("Somebody else, with another address").click();
  await page.getByLabel("Address of Pat Example").fill(address);
  expect(await violationsInBoth(page, "desk-provision-review")).toEqual([]);
  await page.getByRole("button", { name: "Decide" }).click();
  await page.getByText("It is at its end; nothing is left to do.").waitFor();
  await section(page, "Authorized users").getByText(address).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("what waits for its first use is set up now, or given up", async () => {
  const staff = await api();
  const member = await memberWithCard(staff);
  const { id, name } = ofThisTry("Plan that waits");
  const made = [];
  for (const orderOfferId of [`${id}-1`, `${id}-2`]) {
    made.push(
      await staff.post<{ id: string }>("/v1/provision", {
        ...PLAN,
        identityId: member,
        orderId: id,
        orderOfferId,
        offerName: name,
        lines: [LINE],
        provisionType: "ON_FIRST_USE",
      }),
    );
  }
  const { page, context } = await asStaff(`/console/desk/provisioning/${made[0]?.id}`);
  await section(page, "What to do about it").getByRole("button", { name: "Set it up now" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Set it up now" }).click();
  await page.getByText("It is at its end; nothing is left to do.").waitFor();
  await page.goto(`${server.url}/console/desk/provisioning/${made[1]?.id}`);
  await section(page, "What to do about it").getByRole("button", { name: "Give it up" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Give it up" }).click();
  await page.getByText("It is at its end; nothing is left to do.").waitFor();
  expect(await page.getByRole("main").getByText("Deleted").count()).toBeGreaterThan(0);
  await context.close();
});

type Entitlement = { id: string; status: string };

/** A member whose plan was cancelled and bought again: staff must decide about the earlier membership. */
async function boughtAgain(staff: Awaited<ReturnType<typeof api>>) {
  const { id: order, name: plan } = ofThisTry("Plan bought again");
  const { id: member } = await staff.post<{ id: string }>("/v1/identities", {
    realm: "User",
    emails: [`again-${order}@members.pavise.example`],
  });
  const card = { brand: "VISA", last4: "4242", expiryMonth: 12, expiryYear: 2099, holderName: "Ada Example" };
  await staff.post(`/v1/identities/${member}/paymentMethods`, {
    type: "CREDIT_CARD",
    vendor: "TEST",
    vendorToken: "test_4111111111111111",
    card,
  });
  const buy = (times: string) =>
    staff.post("/v1/provision", {
      ...PLAN,
      identityId: member,
      orderId: order,
      orderOfferId: `${order}-${times}`,
      offerName: plan,
      lines: [LINE],
    }) as Promise<unknown> as Promise<{ id: string }>;
  const held = async () =>
    (await staff.get<{ entitlements?: Entitlement[] }>(`/v1/identities/${member}/entitlements`)).entitlements ?? [];
  await buy("first");
  await expect.poll(async () => (await held()).map(({ status }) => status), { timeout: 20_000 }).toEqual(["ACTIVE"]);
  const [earlier] = await held();
  if (earlier === undefined) throw new Error("nothing was set up");
  await staff.post(`/v1/identities/${member}/entitlements/${earlier.id}/cancel`, { reason: "MEMBER_REQUEST" });
  const { id } = await buy("again");
  await expect
    .poll(async () => (await staff.get<{ status: string }>(`/v1/provision/${id}`)).status, { timeout: 20_000 })
    .toBe("REINSTATE_CHECKED");
  return { id, plan, earlier, held };
}

/** Chooses the remedy, and confirms it. */
async function decide(page: Page, what: string, why?: string) {
  await section(page, "What to do about it").getByRole("button", { name: what }).click();
  const dialog = page.locator("[role=dialog], [role=alertdialog]");
  if (why !== undefined) await dialog.getByLabel("Why").fill(why);
  await dialog.getByRole("button", { name: what }).click();
  await dialog.waitFor({ state: "detached" });
}

test("an earlier membership comes back", async () => {
  const staff = await api();
  const { id, plan, earlier, held } = await boughtAgain(staff);
  const { page, context, complaints } = await asStaff("/console/desk/provisioning");
  await rows(page).filter({ hasText: plan }).click();
  await page.getByRole("heading", { name: plan, level: 1 }).waitFor();
  await page.getByText(/a membership of the same family, which can come back/).waitFor();
  await section(page, "The earlier membership").getByText("Pending").waitFor();
  await section(page, "What to do about it")
    .getByText(/The earlier membership comes back/)
    .waitFor();
  expect(await violationsInBoth(page, "desk-provision-decide")).toEqual([]);
  await decide(page, "Reinstate");
  await page.getByText("It is at its end; nothing is left to do.").waitFor();
  await section(page, "The earlier membership").getByText("Reinstated").waitFor();
  await section(page, "What happened").getByText("Provision · Reinstate").waitFor();
  expect((await held()).map((one) => [one.id, one.status])).toEqual([[earlier.id, "ACTIVE"]]);
  expect(page.url()).toContain(id);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a new membership is made beside the earlier one", async () => {
  const staff = await api();
  const { id, earlier, held } = await boughtAgain(staff);
  const { page, context, complaints } = await asStaff(`/console/desk/provisioning/${id}`);
  await section(page, "What to do about it")
    .getByText(/A new membership is made/)
    .waitFor();
  await decide(page, "Submit as new");
  await page.getByText("It is at its end; nothing is left to do.").waitFor();
  await section(page, "The earlier membership").getByText("Ignored").waitFor();
  const now = await held();
  expect(now.find((one) => one.id === earlier.id)?.status).toBe("CANCELLED");
  expect(now.filter((one) => one.id !== earlier.id).map(({ status }) => status)).toEqual(["ACTIVE"]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a reinstatement is suspended with a reason, and not tried again", async () => {
  const staff = await api();
  const { id, held } = await boughtAgain(staff);
  const { page, context, complaints } = await asStaff(`/console/desk/provisioning/${id}`);
  await decide(page, "Suspend", "The earlier card was somebody else's");
  await page.getByText(/It was suspended: neither the earlier membership nor a new one is set up/).waitFor();
  await page.getByRole("main").getByText("The earlier card was somebody else's").first().waitFor();
  await section(page, "The earlier membership").getByText("Suspended").waitFor();
  const remedies = section(page, "What to do about it");
  await remedies.getByRole("button", { name: "Give it up" }).waitFor();
  expect(await remedies.getByRole("button", { name: "Try again" }).count()).toBe(0);
  expect(await violationsInBoth(page, "desk-provision-suspended")).toEqual([]);
  expect((await held()).map(({ status }) => status)).toEqual(["CANCELLED"]);
  expect(complaints).toEqual([]);
  await context.close();
});
