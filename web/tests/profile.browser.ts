// The member's profile: names, numbers, addresses; errors at their fields; the language; by keyboard, and on a phone.
import type { Locator, Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api, section } from "./staff.ts";
import { violationsInBoth, visit, type Visit } from "./visit.ts";

vi.setConfig({ testTimeout: 180_000 });

type Kept = {
  name?: { firstName: string; lastName: string; preferredName?: string; title?: string };
  pronouns?: string;
  locale?: string;
  phoneNumbers?: { number: string; extension?: string; primary?: boolean }[];
  addresses?: { primary?: boolean; address: { address1: string; postalCode: string } }[];
  emails?: { address: string; primary?: boolean }[];
};

/** A member on the page of their profile. */
async function atProfile(options: Visit = {}) {
  const email = await newMember();
  const visited = await visit({ width: 1023, ...options });
  await visited.page.goto(`${server.url}/app/profile`);
  await signInAs(visited.page, email);
  await visited.page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  // The platform makes the profile a moment after the account.
  await section(visited.page, "E-mail addresses for contact").getByText(email).waitFor();
  const member = await restOf(email, PASSWORD);
  const kept = () => member.get<Kept>(`/v1/identities/${member.id}/profile`);
  return { ...visited, email, member, kept };
}

/** Presses a button of the open dialog. */
async function save(page: Page) {
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
}

/** A field of the open dialog. */
function field(page: Page, label: string): Locator {
  return page.getByRole("dialog").getByLabel(label, { exact: label === "First name" });
}

test("a name, with errors at its fields, and pronouns", async () => {
  const { page, errors, kept, close } = await atProfile({ width: 390, height: 844 });
  expect(await violationsInBoth(page, "a profile")).toEqual([]);
  const about = section(page, "About you");
  await about.getByRole("button", { name: "Add: Name" }).click();
  await save(page);
  await page.getByText("This is needed.").first().waitFor();
  expect(await field(page, "First name").evaluate((one) => one === document.activeElement)).toBe(true);
  await field(page, "First name").fill("Augusta");
  await field(page, "Last name").fill("King<");
  await save(page);
  await page.getByText("use neither < nor >", { exact: false }).waitFor();
  expect(await violationsInBoth(page, "a name")).toEqual([]);
  await field(page, "Last name").fill("King");
  await field(page, "Title").fill("Dr.");
  await field(page, "Preferred first name").fill("Ada");
  await field(page, "Pronouns").fill("she/her");
  await save(page);
  await about.getByText("Dr. Augusta King").waitFor();
  await about.getByText("goes by Ada · she/her").waitFor();
  expect(await kept()).toMatchObject({ name: { title: "Dr.", preferredName: "Ada" }, pronouns: "she/her" });

  await about.getByRole("button", { name: "Change: Name" }).click();
  for (const name of ["Title", "Preferred first name", "Pronouns"]) await field(page, name).fill("");
  await save(page);
  await about.getByText("Augusta King", { exact: true }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await about.getByText("goes by").count()).toBe(0);
  const now = await kept();
  expect([now.name?.title ?? "", now.name?.preferredName ?? "", now.pronouns ?? ""]).toEqual(["", "", ""]);
  expect(errors).toEqual([]);
  await close();
});

test("a date of birth and a national identifier, which is shown by its last four digits", async () => {
  const { page, errors, close } = await atProfile();
  const about = section(page, "About you");
  await about.getByRole("button", { name: "Add: Date of birth" }).click();
  const born = page.getByRole("dialog").getByRole("group", { name: /^Date of birth/ });
  await born.getByRole("spinbutton").first().click();
  await page.keyboard.type("12102999");
  await save(page);
  await page.getByRole("dialog").getByText("Is still to come").waitFor();
  expect(await violationsInBoth(page, "a day to come")).toEqual([]);
  await born.getByRole("spinbutton").first().click();
  await page.keyboard.type("12101815");
  await save(page);
  await about.getByText("December 10, 1815").waitFor();

  await about.getByRole("button", { name: "Add: National identifier" }).click();
  await field(page, "The number").fill("000-12-3456");
  await save(page);
  const number = field(page, "The number");
  await expect.poll(() => number.getAttribute("aria-invalid")).toBe("true");
  expect(await violationsInBoth(page, "a number that was never given out")).toEqual([]);
  await number.fill("123-45-6789");
  await save(page);
  await about.getByText("Social Security number ending in 6789").waitFor();
  expect(await page.getByText("123-45").count()).toBe(0);
  await about.getByRole("button", { name: "Remove: National identifier" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await about.getByRole("button", { name: "Add: National identifier" }).waitFor();
  expect(errors).toEqual([]);
  await close();
});

test("numbers and addresses are added, changed, made primary and removed", async () => {
  const { page, errors, kept, close } = await atProfile({ width: 390, height: 844 });
  const phones = section(page, "Phone numbers");
  await phones.getByRole("button", { name: "Add a phone number" }).click();
  await field(page, "Phone number").fill("12");
  await save(page);
  await page.getByText("Type a number such as (512) 555-0177.").waitFor();
  await field(page, "Phone number").fill("512 555 0177");
  await save(page);
  await phones.getByText("(512) 555-0177").waitFor();
  await phones.getByRole("button", { name: "Add a phone number" }).click();
  await field(page, "Phone number").fill("(512) 555-0177");
  await save(page);
  await page.getByText("This is on your profile already.").waitFor();
  expect(await violationsInBoth(page, "a number that is there")).toEqual([]);
  await field(page, "Phone number").fill("(512) 555-0199");
  await field(page, "Kind").selectOption("Work");
  await field(page, "Extension").fill("12");
  await save(page);
  await phones.getByText("Work · ext. 12").waitFor();
  await phones.getByRole("button", { name: "Make primary: (512) 555-0199" }).click();
  await phones.getByRole("button", { name: "Make primary: (512) 555-0177" }).waitFor();
  await phones.getByRole("button", { name: "Remove: (512) 555-0177" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await phones.getByText("(512) 555-0177").waitFor({ state: "detached" });
  expect((await kept()).phoneNumbers).toMatchObject([{ number: "+15125550199", extension: "12", primary: true }]);

  const addresses = section(page, "Postal addresses");
  await addresses.getByRole("button", { name: "Add a postal address" }).click();
  await field(page, "Street and number").fill("1 Main Street");
  await field(page, "City").fill("Austin");
  await field(page, "State").selectOption("Texas");
  await field(page, "ZIP code").fill("43004");
  await save(page);
  await page.getByText("This code is in Ohio, not in Texas.").waitFor();
  expect(await violationsInBoth(page, "a postal code of another state")).toEqual([]);
  await field(page, "ZIP code").fill("78701");
  await save(page);
  await addresses.getByText("Austin, Texas 78701").waitFor();
  await addresses.getByRole("button", { name: "Add a postal address" }).click();
  await field(page, "Country").selectOption("Canada");
  await field(page, "Street and number").fill("2 Wellington Street");
  await field(page, "City").fill("Ottawa");
  await field(page, "Province or territory").selectOption("Ontario");
  await field(page, "Postal code").fill("k1a 0b1");
  await page.getByText("Send letters to this one").click();
  await save(page);
  await addresses.getByText("Ottawa, Ontario K1A 0B1").waitFor();
  await addresses.getByRole("button", { name: "Change: 1 Main Street" }).click();
  await field(page, "Street and number").fill("3 Main Street");
  await save(page);
  await addresses.getByText("3 Main Street").waitFor();
  expect((await kept()).addresses?.map(({ address, primary }) => [address.address1, primary === true])).toEqual([
    ["3 Main Street", false],
    ["2 Wellington Street", true],
  ]);
  expect(await violationsInBoth(page, "a whole profile")).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(errors).toEqual([]);
  await close();
});

test("an e-mail address is changed by keyboard alone", async () => {
  const { page, errors, email, kept, close } = await atProfile();
  const emails = section(page, "E-mail addresses for contact");
  await emails.getByRole("button", { name: "Add an e-mail address" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Tab");
  const address = field(page, "E-mail address");
  for (let left = 4; left > 0 && !(await isFocused(address)); left -= 1) await page.keyboard.press("Tab");
  await page.keyboard.type("second");
  await page.keyboard.press("Enter");
  await page.getByText("Type an address such as ada@example.com.").waitFor();
  await page.keyboard.type("@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await emails.getByText("second@example.com").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect((await kept()).emails).toMatchObject([{ address: email }, { address: "second@example.com", primary: true }]);
  expect(errors).toEqual([]);
  await close();
});

function isFocused(one: Locator): Promise<boolean> {
  return one.evaluate((element) => element === document.activeElement);
}

test("the language of the profile is the app's, in another browser too", async () => {
  const { page, errors, email, kept, close } = await atProfile();
  await section(page, "Language").getByLabel("Your language").selectOption("Français (Canada)");
  await page.getByRole("heading", { level: 1, name: "Profil" }).waitFor();
  await expect.poll(async () => (await kept()).locale).toBe("fr-CA");
  expect(await violationsInBoth(page, "a profile in French")).toEqual([]);
  expect(errors).toEqual([]);
  await close();

  const other = await visit({ locale: "en-US" });
  await other.page.goto(`${server.url}/app/home`);
  await signInAs(other.page, email);
  await other.page.getByRole("link", { name: "Mes régimes" }).first().waitFor();
  expect(await other.page.evaluate(() => document.documentElement.lang)).toBe("fr-CA");
  // A choice at the edge of the page is saved, too.
  await other.page.getByLabel("Langue").first().selectOption("Español (Estados Unidos)");
  await other.page.getByRole("link", { name: "Perfil" }).first().waitFor();
  await expect.poll(async () => (await kept()).locale).toBe("es-US");
  await other.close();
});

test("what staff keep is shown and not changed", async () => {
  const { page, member, close } = await atProfile();
  const staff = await api();
  const path = `/v1/identities/${member.id}/profile`;
  const number = String(Date.now());
  await staff.post(`${path}/addAccountIdentifier`, { type: "member", value: number });
  await staff.post(`${path}/addServiceFlag`, { serviceFlag: "deaf" });
  await page.reload();
  const kept = section(page, "Kept by our staff");
  await kept.getByText(number).waitFor();
  await kept.getByText("that you are deaf").waitFor();
  expect(await kept.getByRole("button").count()).toBe(0);
  expect(await violationsInBoth(page, "what staff keep")).toEqual([]);
  await close();
});
