// Members that exist before a test begins, and their messages.
import type { Page } from "playwright-core";
import { vi } from "vitest";
import { server } from "./platform.ts";
import { call, restOf } from "./rest.ts";

/** The password of every identity that a test makes. */
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
  return vi.waitUntil(
    async () => {
      const outbox = (await (await fetch(`${server.admin}/outbox`)).json()) as { address: string; text: string }[];
      const texts = outbox.filter((message) => message.address === address).map(({ text }) => text.match(pattern)?.[1]);
      // The newest comes first.
      return texts.find((text) => text !== undefined && text !== before);
    },
    { timeout: 30_000 },
  );
}

/** Ends every session of a member, in every browser. */
export async function endSessions(email: string): Promise<void> {
  const member = await restOf(email, PASSWORD);
  await member.post(`/v1/identities/${member.id}/sessions/revokeAll`);
}

/** Orders the legal family plan for a member: Ada, with Charles. Nothing is paid yet. */
export function familyOrder(email: string) {
  return legalOrder(email, "family");
}

/** Orders the legal plan in a tier: Ada, in the family plan with Charles. */
async function legalOrder(email: string, tierId: "family" | "individual") {
  const member = await restOf(email, PASSWORD);
  const selection = { productId: "10000000-0000-4000-8000-000000000001", tierId };
  const { id: order } = await member.post<{ id: string }>(`/v2/identities/${member.id}/orders`, {
    channel: "BuyNow",
    locality: "TX",
    offers: [{ brand: "pavise", offerId: "20000000-0000-4000-8000-000000000001", selections: [selection] }],
    personalInfo: { firstName: "Ada", lastName: "Example", email },
    authorizedUsers: tierId === "family" ? [{ firstName: "Charles", lastName: "Example", type: "SPOUSE" }] : [],
  });
  return { order, member };
}

/** Pays the order of the family plan. */
export function familyPlan(email: string): Promise<void> {
  return legalPlan(email, "family");
}

/** Orders the legal plan in a tier, and pays it. */
export async function legalPlan(email: string, tierId: "family" | "individual"): Promise<void> {
  const { order, member } = await legalOrder(email, tierId);
  const card = { brand: "VISA", last4: "1111", expiryMonth: 12, expiryYear: 2099, holderName: "Ada Example" };
  const { id: paymentMethodId } = await member.post(`/v1/identities/${member.id}/paymentMethods`, {
    type: "CREDIT_CARD",
    vendor: "TEST",
    vendorToken: "test_4111111111111111",
    card,
  });
  const path = `/v2/identities/${member.id}/orders/${order}`;
  await member.post(`${path}/purchase`, { paymentMethodId });
  const isProvisioned = async () => (await member.get<{ status: string }>(path)).status === "PROVISIONED";
  await vi.waitUntil(isProvisioned, { timeout: 60_000 });
}
