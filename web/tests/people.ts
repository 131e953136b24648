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
        // The newest comes first.
        found = texts.find((text) => text !== undefined) ?? "";
        return found;
      },
      { timeout: 30_000 },
    )
    .not.toBe("");
  return found;
}

/** A caller of the REST paths. */
export async function send<T>(server: Server, path: string, body: object, token = ""): Promise<T> {
  const answer = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token === "" ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${text}`);
  return JSON.parse(text) as T;
}

/** Somebody's token and id. */
export async function tokenOf(server: Server, email: string, password = PASSWORD): Promise<{ token: string; id: string }> {
  const { accessToken } = await send<{ accessToken: string }>(server, "/v1/tokens", { email, password });
  const { sub } = JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString()) as { sub: string };
  return { token: accessToken, id: sub };
}

/** Ends every session of a member, wherever he is signed in. */
export async function endSessions(server: Server, email: string): Promise<void> {
  const { token, id } = await tokenOf(server, email);
  await send(server, `/v1/identities/${id}/sessions/revokeAll`, {}, token);
}

/** Orders the legal plan for a family for a member: Ada, with Charles. Nothing is paid yet. */
export async function familyOrder(server: Server, email: string): Promise<{ order: string; token: string; id: string }> {
  const { token, id } = await tokenOf(server, email);
  const selection = { productId: "10000000-0000-4000-8000-000000000001", tierId: "family" };
  const made = await send<{ id: string }>(
    server,
    `/v2/identities/${id}/orders`,
    {
      channel: "BuyNow",
      locality: "TX",
      offers: [{ brand: "pavise", offerId: "20000000-0000-4000-8000-000000000001", selections: [selection] }],
      personalInfo: { firstName: "Ada", lastName: "Example", email },
      authorizedUsers: [{ firstName: "Charles", lastName: "Example", type: "SPOUSE" }],
    },
    token,
  );
  return { order: made.id, token, id };
}

/** Buys it. */
export async function familyPlan(server: Server, email: string): Promise<void> {
  const { order, token, id } = await familyOrder(server, email);
  const card = { brand: "VISA", last4: "1111", expiryMonth: 12, expiryYear: 2099, holderName: "Ada Example" };
  const method = { type: "CREDIT_CARD", vendor: "TEST", vendorToken: "test_4111111111111111", card };
  const { id: paymentMethodId } = await send<{ id: string }>(server, `/v1/identities/${id}/paymentMethods`, method, token);
  await send(server, `/v2/identities/${id}/orders/${order}/purchase`, { paymentMethodId }, token);
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${server.url}/v2/identities/${id}/orders/${order}`, { headers: { authorization: `Bearer ${token}` } });
        return ((await answer.json()) as { status: string }).status;
      },
      { timeout: 60_000 },
    )
    .toBe("PROVISIONED");
}
