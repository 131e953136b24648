// Members who are there before a test begins, and what is written to them.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Server } from "./server.ts";

/** The password of everybody whom a test makes. */
export const PASSWORD = "a horse of the sea";

/** Makes a member over REST, and answers his address. */
export async function newMember(server: Server): Promise<string> {
  const email = `ada-${crypto.randomUUID()}@example.com`;
  const answer = await fetch(`${server.url}/v1/identities`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ realm: "User", emails: [email], password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
  return email;
}

/** Fills in the sign-in of the member app; the page goes on by itself. */
export async function signInAs(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** The newest message to an address that says what is looked for, once it is in the outbox: what the pattern's group found. */
export async function sentTo(server: Server, address: string, pattern: RegExp): Promise<string> {
  let found = "";
  await expect
    .poll(
      async () => {
        const outbox = (await (await fetch(`${server.admin}/outbox`)).json()) as { address: string; text: string }[];
        const texts = outbox.filter((message) => message.address === address).map(({ text }) => text.match(pattern)?.[1]);
        found = texts.findLast((text) => text !== undefined) ?? "";
        return found;
      },
      { timeout: 30_000 },
    )
    .not.toBe("");
  return found;
}
