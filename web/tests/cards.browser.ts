// Test cards are offered only where the test vendor takes them.
import { expect, test, vi } from "vitest";
import { familyOrder, newMember, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

test("no page offers test cards where the test vendor is off", async () => {
  const email = await newMember();
  const { order } = await familyOrder(email);
  const { page, errors, close } = await visit({ width: 390, height: 844 });
  const testCards = page.getByText("4111 1111 1111 1111");
  const off = page.getByText("No card can be taken now");
  await page.goto(`${server.url}/app/orders/${order}`);
  await signInAs(page, email);
  await testCards.waitFor();
  expect(await off.count()).toBe(0);
  await page.goto(`${server.url}/app/billing`);
  await page.getByRole("button", { name: "Add a card" }).click();
  await testCards.waitFor();

  await server.restart("--test-vendor=false");
  for (const path of [`/app/orders/${order}`, "/app/billing"]) {
    await page.goto(server.url + path);
    const add = page.getByRole("button", { name: "Add a card" });
    if (path === "/app/billing") await add.click();
    await off.waitFor();
    expect(await testCards.count()).toBe(0);
    expect(await violationsInBoth(page, `no vendor at ${path}`)).toEqual([]);
  }
  expect(errors).toEqual([]);
  await close();
});
