// Members that exist before a test begins, and their messages.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { server } from "./platform.ts";
import { call, restOf } from "./rest.ts";

/** The password of every member that a test makes. */
export const PASSWORD = "a horse of the sea";

/** An unused address. */
export function newEmail(who = "ada"): string {
  return `${who}-${crypto.randomUUID()}@example.com`;
}

/** Makes a member over REST who has proved their address, and returns it. */
export async function newMember(): Promise<string> {
  const email = newEmail();
  await call("POST", "/v1/identities", { body: { realm: "User", emails: [email], password: PASSWORD } });
  const member = await restOf(email, PASSWORD);
  const code = await sentTo(email, ADDRESS_CODE);
  await member.post(`/v1/identities/${member.id}/proveEmail`, { email, code });
  return email;
}

/** The code with which an address is proved, in its letter. */
export const ADDRESS_CODE = /address is (\S+)/;

/** Fills in the sign-in of the member app; the page continues by itself. */
export async function signInAs(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/**
 * The first group of the pattern in the newest matching message to an address, once that is in the outbox. A message whose
 * group is `before`, that of an earlier one, does not count.
 */
export async function sentTo(address: string, pattern: RegExp, before = ""): Promise<string> {
  let found = "";
  await expect
    .poll(
      async () => {
        const outbox = (await (await fetch(`${server.admin}/outbox`)).json()) as { address: string; text: string }[];
        const texts = outbox
          .filter((message) => message.address === address)
          .map(({ text }) => text.match(pattern)?.[1]);
        // The newest comes first.
        found = texts.find((text) => text !== undefined && text !== before) ?? "";
        return found;
      },
      { timeout: 30_000 },
    )
    .not.toBe("");
  return found;
}

/** Ends every session of a member, in every browser. */
export async function endSessions(email: string): Promise<void> {
  const member = await restOf(email, PASSWORD);
  await member.post(`/v1/identities/${member.id}/sessions/revokeAll`);
}

/** Orders the legal family plan for a member: Ada, with Charles. Nothing is paid yet. */
export async function familyOrder(email: string) {
  const member = await restOf(email, PASSWORD);
  const selection = { productId: "10000000-0000-4000-8000-000000000001", tierId: "family" };
  const { id: order } = await member.post<{ id: string }>(`/v2/identities/${member.id}/orders`, {
    channel: "BuyNow",
    locality: "TX",
    offers: [{ brand: "pavise", offerId: "20000000-0000-4000-8000-000000000001", selections: [selection] }],
    personalInfo: { firstName: "Ada", lastName: "Example", email },
    authorizedUsers: [{ firstName: "Charles", lastName: "Example", type: "SPOUSE" }],
  });
  return { order, member };
}

/** Pays the order. */
export async function familyPlan(email: string): Promise<void> {
  const { order, member } = await familyOrder(email);
  const card = { brand: "VISA", last4: "1111", expiryMonth: 12, expiryYear: 2099, holderName: "Ada Example" };
  const { id: paymentMethodId } = await member.post(`/v1/identities/${member.id}/paymentMethods`, {
    type: "CREDIT_CARD",
    vendor: "TEST",
    vendorToken: "test_4111111111111111",
    card,
  });
  const path = `/v2/identities/${member.id}/orders/${order}`;
  await member.post(`${path}/purchase`, { paymentMethodId });
  await expect
    .poll(async () => (await member.get<{ status: string }>(path)).status, { timeout: 60_000 })
    .toBe("PROVISIONED");
}
