// Consents and the messages that a member wants: given, taken back, and recorded with who, when, where and which words.
import { expect, test, vi } from "vitest";
import { newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api, section } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 180_000 });

type Said = { given?: boolean; source: string; wordingVersion: string; by: string };
type Kept = {
  marketingOptIn?: Said;
  smsOptIn?: Said;
  termsOfService?: Said;
  communicationPreferences?: { key: string; channel: string; allowed?: boolean; source: string }[];
};

async function atConsents() {
  const email = await newMember();
  const visited = await visit({ width: 390, height: 844 });
  await visited.page.goto(`${server.url}/app/consents`);
  await signInAs(visited.page, email);
  await visited.page.getByRole("heading", { level: 1, name: "Consents and messages" }).waitFor();
  const member = await restOf(email, PASSWORD);
  const path = `/v1/identities/${member.id}/profile`;
  await expect.poll(() => member.get(path).catch(() => undefined)).toBeDefined();
  return { ...visited, member, path, kept: () => member.get<Kept>(path) };
}

test("a consent is given and taken back, with its words and where it was said", async () => {
  const { page, errors, member, kept, close } = await atConsents();
  const agreed = section(page, "What you agree to");
  const offers = agreed.getByRole("switch", { name: /^Offers and news/ });
  expect(await offers.isChecked()).toBe(false);
  expect(await agreed.getByText("You have not answered yet").count()).toBe(3);
  expect(await violationsInBoth(page, "consents")).toEqual([]);
  await agreed.getByText("Offers and news", { exact: true }).click();
  await agreed.getByText("Agreed", { exact: true }).waitFor();
  await agreed.getByText(/by you · in this app · words of 2026-11/).waitFor();
  expect((await kept()).marketingOptIn).toMatchObject({ given: true, source: "member-app", by: member.id });
  await offers.focus();
  await page.keyboard.press("Space");
  await agreed.getByText("Not agreed", { exact: true }).waitFor();
  expect((await kept()).marketingOptIn?.given ?? false).toBe(false);
  expect(await offers.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(errors).toEqual([]);
  await close();
});

test("texts need a cell phone, and what staff recorded is said to be theirs", async () => {
  const { page, errors, member, path, kept, close } = await atConsents();
  const agreed = section(page, "What you agree to");
  const texts = agreed.getByRole("switch", { name: /^Text messages/ });
  expect(await texts.isDisabled()).toBe(true);
  await agreed.getByRole("link", { name: "Add it to your profile" }).click();
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  await member.post(`${path}/addPhoneNumber`, { number: "5125550177", type: "cell" });
  const staff = await api();
  await staff.post(`${path}/tcpa`, { given: true, source: "a call", wordingVersion: "2026-01" });
  await page.goto(`${server.url}/app/consents`);
  await agreed.getByText(/by our staff · a call · words of 2026-01/).waitFor();
  await agreed.getByText("Text messages", { exact: true }).click();
  await expect.poll(() => texts.isChecked()).toBe(true);
  expect((await kept()).smsOptIn).toMatchObject({ given: true, wordingVersion: "2026-11" });
  await section(page, "Terms of service").getByRole("button", { name: "Accept the terms" }).click();
  await page.getByText("You accepted the present wording.").waitFor();
  expect((await kept()).termsOfService).toMatchObject({ given: true });
  expect(await violationsInBoth(page, "consents that were given")).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

test("each kind of message has its channels, and a refusal is told beside them", async () => {
  const { page, kept, close } = await atConsents();
  const payments = page.getByRole("group", { name: "Payments" });
  const byText = payments.getByRole("switch", { name: "Text message" });
  expect(await byText.isChecked()).toBe(true);
  await payments.getByText("Text message").click();
  await expect
    .poll(async () => (await kept()).communicationPreferences)
    .toMatchObject([{ key: "billing", channel: "SMS", source: "member-app" }]);
  expect((await kept()).communicationPreferences?.[0]?.allowed ?? false).toBe(false);
  expect(await byText.isChecked()).toBe(false);
  // Offers need the consent.
  expect(await page.getByRole("group", { name: "Offers" }).getByRole("switch", { checked: true }).count()).toBe(0);
  await page.route("**/UpdateCommunicationPreference", (route) => route.abort());
  await payments.getByText("E-mail").click();
  await payments.getByRole("alert").waitFor();
  expect(await payments.getByRole("switch", { name: "E-mail" }).isChecked()).toBe(true);
  expect(await violationsInBoth(page, "messages")).toEqual([]);
  await close();
});
