// Test cards are offered only where the test vendor takes them.
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { awaitedLater } from "./browser.ts";
import { familyOrder, newMember, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

/** A vendor that charges real cards, by its number in the contract. */
const VANTIV = 3;

/** The server takes payments of these vendors alone. */
async function takes(page: Page, ...vendors: readonly number[]) {
  // A packed list in field 1, in a frame, and the end of the answer.
  const message = vendors.length === 0 ? [] : [0x0a, vendors.length, ...vendors];
  const end = new TextEncoder().encode("grpc-status: 0\r\n");
  const body = Buffer.from([0, 0, 0, 0, message.length, ...message, 0x80, 0, 0, 0, end.length, ...end]);
  await page.route("**/pavise.billing.v1.PaymentMethodService/ListPaymentVendors", (route) =>
    route.fulfill({ contentType: "application/grpc-web+proto", body }),
  );
}

test("no page offers test cards where the test vendor is off", async () => {
  const email = await newMember();
  const { order } = await familyOrder(email);
  const { page, errors, close } = await visit({ width: 390, height: 844 });
  const testCards = page.getByText("4111 1111 1111 1111");
  const off = page.getByText("No card can be taken now");
  const pages = {
    [`/app/orders/${order}`]: () => page.getByLabel("Card number").waitFor(),
    "/app/billing": () => page.getByRole("button", { name: "Add a card" }).click(),
  };
  await page.goto(`${server.url}/app/sign-in`);
  await signInAs(page, email);
  await page.getByRole("heading", { name: "What is covered" }).waitFor();
  for (const [path, open] of Object.entries(pages)) {
    await page.goto(server.url + path);
    await open();
    await testCards.waitFor();
    expect(await off.count()).toBe(0);
  }
  await takes(page);
  for (const [path, open] of Object.entries(pages)) {
    await page.goto(server.url + path);
    await open();
    await off.waitFor();
    expect(await testCards.count()).toBe(0);
    expect(await violationsInBoth(page, `no vendor at ${path}`)).toEqual([]);
  }
  await page.unrouteAll();
  await takes(page, VANTIV);
  for (const [path, open] of Object.entries(pages)) {
    const answered = awaitedLater(page.waitForResponse("**/ListPaymentVendors"));
    await page.goto(server.url + path);
    await open();
    await (await answered).finished();
    await page.getByLabel("Card number").waitFor();
    expect([await off.count(), await testCards.count()]).toEqual([0, 0]);
  }
  expect(errors).toEqual([]);
  await close();
});
