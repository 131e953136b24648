// The strip that asks for the code of a letter says what the code confirms.
import { expect, test, vi } from "vitest";
import { newMember, PASSWORD, sentTo, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 180_000 });

test("a change by somebody else is named, and is confirmed with the code of its letter", async () => {
  const email = await newMember();
  const member = await restOf(email, PASSWORD);
  const staff = await api();
  const username = `countess-${crypto.randomUUID().slice(0, 8)}`;
  await staff.post(`/v1/identities/${member.id}/addUsername`, { username });
  const { page, errors, close } = await visit({ width: 390, height: 844 });
  await page.goto(`${server.url}/app/home`);
  await signInAs(page, email);
  await page.getByText("Confirm a change of how you sign in").waitFor();
  await page.getByText(`You can also sign in as ${username}.`).waitFor();
  expect(await page.getByText("Confirm your e-mail address").count()).toBe(0);
  expect(await violationsInBoth(page, "a change by somebody else")).toEqual([]);
  await page.getByLabel("The code from the letter").fill(await sentTo(email, /enter the code (\S+)/));
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await page.getByText("Confirm a change of how you sign in").waitFor({ state: "detached" });
  const { usernames } = await member.get<{ usernames: string[] }>(`/v1/identities/${member.id}`);
  expect(usernames).toContain(username);

  // A removal alone looks like an address that takes the place of another one; the own addresses tell them apart.
  await staff.post(`/v1/identities/${member.id}/removeUsername`, { username });
  await page.reload();
  await page.getByText("Confirm a change of how you sign in").waitFor();
  await page.getByText(`You no longer sign in as ${username}.`).waitFor();
  expect(errors).toEqual([]);
  await close();
});
