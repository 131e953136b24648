// An employee enrolls in a plan through their employer, and it is deducted from their pay or paid with a card.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

const PATIENCE = 180_000;
/** The offer for employees of the demonstration's catalog. */
const EMPLOYEES = "20000000-0000-4000-8000-000000000005";
const PAYROLL = {
  payType: "PAYROLL",
  payPeriods: [
    { id: "hourly", name: "Hourly staff", deductionsPerYear: 24, firstPayDate: "2026-01-02" },
    { id: "monthly", name: "Office", deductionsPerYear: 12, firstPayDate: "2026-01-31" },
  ],
};

/** An ACTIVE group that sells the plans for employees, with plans from the first of the next month. */
async function employer(name: string, more: object): Promise<string> {
  const staff = await api();
  const draft = { name, countryIdentifier: "USA", brand: "pavise", effectiveDate: "2020-01-01", payType: "SELF_PAY" };
  const contacts = [{ type: "PRIMARY", name: "Rosa Whitfield", email: "rosa@example.com" }];
  const { id } = await staff.post<{ id: string }>("/v1/groups", { ...draft, numberOfEmployees: 40, contacts, ...more });
  await staff.post(`/v1/groups/${id}/addOfferIds`, { offerIds: [EMPLOYEES] });
  const restrictedPeriods = [{ source: "WEB", month: "+1" }];
  await staff.post(`/v1/groups/${id}/addRestrictedPeriods`, { restrictedPeriods });
  await staff.post(`/v1/groups/${id}/activate`);
  return id;
}

/** The employer's record of an employee with that address. */
async function employ(groupId: string, email: string) {
  const machine = await restOf("demo-machine", server.password("demo-machine"));
  const employee = { number: "E-1", firstName: "Ada", lastName: "Stone", email, hiredOn: "2024-02-01" };
  return machine.post(`/v1/groups/${groupId}/employees`, employee);
}

/** The first day of the next month, as the page writes it. */
function firstOfNextMonth(): string {
  const now = new Date();
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(day);
}

async function openLink(page: Page, groupId: string, email: string) {
  await page.goto(`${server.url}/app/enroll/${groupId}`);
  await signInAs(page, email);
}

/** A step's heading has the focus. */
async function begun(page: Page, name: string) {
  await page.getByRole("heading", { level: 1, name }).waitFor({ timeout: 60_000 });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
}

const next = (page: Page) => page.getByRole("button", { name: "Save and continue" }).click();

async function fillAddress(page: Page) {
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Stone");
  await page.getByLabel("Street and number").fill("100 Main Street");
  await page.getByLabel("City").fill("Dallas");
  await page.getByLabel("State").selectOption("Texas");
  await page.getByLabel("ZIP code").fill("75201");
}

test(
  "an employee enrolls by deductions from the pay, and goes on after a reload",
  async () => {
    const email = await newMember();
    const groupId = await employer("Harbor Works", PAYROLL);
    await employ(groupId, email);
    const { page, errors, close } = await visit({ width: 1023 });
    await openLink(page, groupId, email);

    await page.getByRole("heading", { level: 1, name: "Choose your plans" }).waitFor();
    await page.getByText("Harbor Works", { exact: true }).waitFor();
    await page.getByText("It is deducted from your pay").waitFor();
    await page.getByText(firstOfNextMonth()).waitFor();
    await next(page);
    await page.getByRole("alert").getByText("Choose a plan first").waitFor();
    await page.getByRole("button", { name: "Choose Legal Plan, Family" }).click();
    await page.getByText("Add to it").waitFor();
    expect(await violationsInBoth(page, "the plans of an employer")).toEqual([]);
    await next(page);

    await begun(page, "Your family");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Your family" }).waitFor();
    await page.getByRole("button", { name: "Add a person" }).click();
    const person = page.getByRole("group", { name: "Person 1" });
    await person.getByLabel("First name").fill("Max");
    await person.getByLabel("Last name").fill("Stone");
    expect(await violationsInBoth(page, "the family of an employee")).toEqual([]);
    await next(page);

    await begun(page, "Your details");
    expect(await page.getByLabel("E-mail address").inputValue()).toBe(email);
    await fillAddress(page);
    await page.getByLabel("Job title").selectOption("Office manager");
    await next(page);
    await page.getByText("This is needed.").waitFor();
    await page.getByLabel("How you are paid").selectOption("Hourly staff: 24 deductions a year");
    expect(await violationsInBoth(page, "the details of an employee")).toEqual([]);
    await next(page);

    await begun(page, "Review your enrollment");
    await page.getByText("Max Stone").waitFor();
    await page.getByText("$34.95/month").waitFor();
    expect(await violationsInBoth(page, "the review of an enrollment")).toEqual([]);
    await page.goto(`${server.url}/app/home`);
    await page.getByRole("link", { name: "Continue to enroll: Harbor Works" }).click();
    await begun(page, "Review your enrollment");
    await page.getByRole("button", { name: "Submit the enrollment" }).click();

    await begun(page, "You are enrolled");
    await page.getByText(firstOfNextMonth()).waitFor();
    // Twelve times 34.95 in 24 pays, rounded up.
    await page.getByText("$17.48").waitFor();
    expect(await violationsInBoth(page, "an enrolled employee")).toEqual([]);
    await page.getByRole("link", { name: "Go to my account" }).click();
    await page.getByText(`From ${firstOfNextMonth()}, $17.48 from each pay`).waitFor();
    expect(await violationsInBoth(page, "home with an enrollment")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "an employee who pays by themselves corrects a declined card",
  async () => {
    const email = await newMember();
    const groupId = await employer("Maple Works", {});
    const { page, errors, close } = await visit({ width: 390, height: 844 });
    await openLink(page, groupId, email);
    await page.getByText("You pay by yourself").waitFor();
    // It is begun elsewhere meanwhile, and gone on with here.
    const member = await restOf(email, PASSWORD);
    await member.post(`/v1/identities/${member.id}/groupEnrollments`, { groupId });
    await page.getByRole("button", { name: "Choose Identity Protection, Individual" }).click();
    await next(page);
    await begun(page, "Your details");
    await fillAddress(page);
    await page.getByLabel("Name on the card").fill("Ada Stone");
    await page.getByRole("button", { name: "Use 4000 0000 0000 0002" }).click();
    expect(await violationsInBoth(page, "the card of an employee")).toEqual([]);
    await next(page);
    await begun(page, "Review your enrollment");
    await page.getByText("Visa ending in 0002").waitFor();
    await page.getByRole("button", { name: "Submit the enrollment" }).click();
    await page.getByRole("alert").getByText("The payment failed.").waitFor({ timeout: 60_000 });
    await page.getByText("not enough money on this card").waitFor();
    expect(await violationsInBoth(page, "a failed enrollment")).toEqual([]);
    await page.getByRole("link", { name: "Change your details" }).click();
    await begun(page, "Your details");
    await page.getByLabel("Name on the card").fill("Ada Stone");
    await page.getByRole("button", { name: "Use 4111 1111 1111 1111" }).click();
    await next(page);
    await begun(page, "Review your enrollment");
    await page.getByRole("button", { name: "Submit the enrollment" }).click();
    await begun(page, "You are enrolled");
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test("whoever the employer does not know is told so in the server's words", async () => {
  const email = await newMember();
  const groupId = await employer("Closed Works", PAYROLL);
  const { page, close } = await visit();
  await openLink(page, groupId, email);
  const alert = page.getByRole("alert").filter({ hasText: "You cannot enroll now" });
  await alert.getByText("no record of an employee").waitFor();
  expect(await page.getByText("First day of cover").count()).toBe(0);
  expect(await violationsInBoth(page, "an enrollment that is not possible")).toEqual([]);

  // The employer adds them meanwhile.
  await employ(groupId, email);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Choose your plans" }).waitFor();

  const staff = await api();
  await staff.post(`/v1/groups/${groupId}/cancel`, { cancelReason: "COMPANY_OPTION", cancelledOn: "2099-12-31" });
  await page.reload();
  await alert.getByText("The group is ").waitFor();
  await close();
});

test("a member whose employer's group ends goes on at their own cost", async () => {
  const email = await newMember();
  const groupId = await employer("Ending Works", PAYROLL);
  const [staff, member] = [await api(), await restOf(email, PASSWORD)];
  const machine = await restOf("demo-machine", server.password("demo-machine"));
  const own = `/v1/identities/${member.id}`;
  const card = { brand: "VISA", last4: "1111", expiryMonth: 12, expiryYear: 2099, holderName: "Ada Stone" };
  const method = { type: "CREDIT_CARD", vendor: "TEST", vendorToken: "test_4111111111111111", card };
  const price = { currency: "USD", amount: 2995 };
  const items = [{ type: "PRODUCT", productId: "legal", name: "Legal Plan at work", price }];
  await machine.post(`${own}/subscriptions`, { groupId, offerId: EMPLOYEES, billingPeriod: "MONTHLY", items });
  const cancel = { cancelReason: "COMPANY_OPTION", cancelledOn: "2099-07-01", membersAfterCancel: "MAY_GO_ON" };
  await staff.post(`/v1/groups/${groupId}/cancel`, cancel);
  const plans = async () => {
    const { subscriptions } = await member.get<{ subscriptions: { mayContinue: boolean }[] }>(`${own}/subscriptions`);
    return subscriptions.map(({ mayContinue }) => mayContinue);
  };
  await expect.poll(plans, { timeout: 30_000 }).toEqual([true]);

  const { page, errors, close } = await visit();
  await page.goto(`${server.url}/app/plans`);
  await signInAs(page, email);
  await page.getByText("You can go on at your own cost until then.").waitFor();
  const goOn = page.getByRole("button", { name: "Go on at my own cost: Legal Plan at work" });
  await goOn.click();
  const dialog = page.getByRole("dialog", { name: "Go on without your employer?" });
  await dialog.getByText("Add a card on the billing page first").waitFor();
  await dialog.getByRole("button", { name: "Let it end" }).click();
  await member.post(`${own}/paymentMethods`, method);
  await page.reload();
  await goOn.click();
  await dialog.getByText("You pay $29.95/month, for the first time on July 1, 2099.").waitFor();
  expect(await violationsInBoth(page, "going on without an employer")).toEqual([]);
  await dialog.getByRole("button", { name: "Go on at my own cost" }).click();
  await page.getByText("Your plan goes on").waitFor();
  await page.getByText("$29.95/month, next on July 1, 2099").waitFor();
  expect(await plans()).toEqual([false]);
  expect(errors).toEqual([]);
  await close();
});
