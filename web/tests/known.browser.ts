// The checkout does not ask for the known parts of the profile, and saves the others there.
import { expect, test, vi } from "vitest";
import { newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 180_000 });

type Kept = {
  name?: { firstName: string; lastName: string };
  dateOfBirth?: string;
  phoneNumbers?: { number: string }[];
  addresses?: { address: { address1: string; city: string } }[];
};

test("a buyer says who they are once", async () => {
  const email = await newMember();
  const member = await restOf(email, PASSWORD);
  const kept = () => member.get<Kept>(`/v1/identities/${member.id}/profile`);
  const { page, errors, close } = await visit({ width: 390, height: 844 });
  await page.goto(`${server.url}/app/home`);
  await signInAs(page, email);
  await page.getByRole("heading", { name: "What is covered" }).waitFor();
  await page.goto(`${server.url}/app/`);
  await page.getByLabel("Where do you live?").selectOption("Texas");
  await page.getByRole("button", { name: "Choose Legal Plan, Individual" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Your choice" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "About you" }).waitFor();
  const born = page.getByRole("group", { name: /^Your date of birth/ });
  await born.waitFor();
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Example");
  await page.getByLabel("Street and number").fill("1 Main Street");
  await page.getByLabel("City").fill("Austin");
  await page.getByLabel("ZIP code").fill("78701");
  await page.getByLabel("Phone number").fill("512 555 0177");
  await born.getByRole("spinbutton").first().click();
  await page.keyboard.type("12102999");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByText("Is still to come").waitFor();
  expect(await violationsInBoth(page, "a day of birth to come")).toEqual([]);
  await born.getByRole("spinbutton").first().click();
  await page.keyboard.type("12101985");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("heading", { name: "Payment" }).waitFor();
  await expect.poll(kept).toMatchObject({
    name: { firstName: "Ada", lastName: "Example" },
    phoneNumbers: [{ number: "+15125550177" }],
    addresses: [{ address: { address1: "1 Main Street", city: "Austin" } }],
  });
  expect(JSON.stringify((await kept()).dateOfBirth)).toContain("1985");

  // Later, on a page that knows nothing of the first purchase.
  await page.goto(`${server.url}/app/`);
  await page.getByLabel("Where do you live?").selectOption("Texas");
  await page.getByRole("button", { name: "Choose Legal Plan, Individual" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Your choice" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("From your profile.", { exact: false }).waitFor();
  await expect.poll(() => page.getByLabel("First name").inputValue()).toBe("Ada");
  expect(await page.getByLabel("Phone number").inputValue()).toBe("(512) 555-0177");
  expect(await page.getByLabel("Street and number").inputValue()).toBe("1 Main Street");
  expect(await page.getByLabel("ZIP code").inputValue()).toBe("78701");
  expect(await born.count()).toBe(0);
  expect(await violationsInBoth(page, "a form that knows its buyer")).toEqual([]);
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("heading", { name: "Payment" }).waitFor();
  expect((await kept()).addresses).toHaveLength(1);
  expect((await kept()).phoneNumbers).toHaveLength(1);
  expect(errors).toEqual([]);
  await close();
});
