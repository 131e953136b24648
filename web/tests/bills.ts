// Bills of members that a test needs, on a server with a test clock.
import { vi } from "vitest";
import { PASSWORD } from "./people.ts";
import { restOf } from "./rest.ts";
import { api } from "./staff.ts";

/** An invoice, as far as tests look at it. */
export interface Bill {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly subscriptionId?: string;
  readonly dueOn?: string;
  readonly dueToCollectOn?: string;
  readonly heldUntil?: string;
}

/** Bills the member's plan to a card without money, two days from now, and lets these days pass. */
export async function refuseRenewal(email: string) {
  const [member, staff] = [await restOf(email, PASSWORD), await api()];
  const own = `/v1/identities/${member.id}`;
  const card = { brand: "VISA", last4: "0002", expiryMonth: 12, expiryYear: 2099, holderName: "Ada Example" };
  const { id: paymentMethodId } = await member.post(`${own}/paymentMethods`, {
    type: "CREDIT_CARD",
    vendor: "TEST",
    vendorToken: "test_4000000000000002",
    card,
  });
  const { subscriptions } = await member.get<{ subscriptions: { id: string }[] }>(`${own}/subscriptions`);
  const subscription = `${own}/subscriptions/${subscriptions[0]?.id}`;
  await staff.post(`${subscription}/updatePaymentMethod`, { paymentMethodId });
  const { today } = await staff.get<{ today: string }>("/v1/testClock");
  const nextBillOn = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  await staff.post(`${subscription}/updateNextBillOn`, { nextBillOn });
  await staff.post("/v1/testClock/advance", { days: 2 });
  const stands = async () => {
    const { lastAdvance } = await staff.get<{ lastAdvance: { advancing?: boolean } }>("/v1/testClock");
    return lastAdvance.advancing !== true;
  };
  await vi.waitUntil(stands, { timeout: 180_000, interval: 500 });
  const bills = async () => (await member.get<{ invoices: Bill[] }>(`${own}/invoices`)).invoices;
  return { own, bills };
}
