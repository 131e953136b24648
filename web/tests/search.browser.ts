// Records are found by the start of their names: in the palette, in reference fields, and in lists.
import { expect, test, vi } from "vitest";
import { awaitedLater } from "./browser.ts";
import { server } from "./platform.ts";
import { api, asStaff, rows } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

vi.setConfig({ testTimeout: 180_000 });

const PERSON = "zuleika.dobson@members.pavise.example";

let made: ReturnType<typeof makeSomebody> | undefined;

/** An identity older than the newest 200, and its order. A second try of the test finds them there. */
function somebody() {
  made ??= makeSomebody();
  return made;
}

async function makeSomebody() {
  const staff = await api();
  // A program vouches for the address, which can be searched only when it is proved.
  const machine = await api("demo-machine");
  const { id: identityId } = await machine.post<{ id: string }>("/v1/identities", {
    realm: "User",
    emails: [PERSON],
    usernames: ["zulu"],
  });
  const person = { firstName: "Zuleika", lastName: "Dobson", email: PERSON };
  const offer = {
    brand: "pavise",
    offerId: "20000000-0000-4000-8000-000000000001",
    selections: [{ productId: "10000000-0000-4000-8000-000000000001", tierId: "individual" }],
  };
  const order = await staff.post<{ id: string }>(`/v2/identities/${identityId}/orders`, {
    channel: "BuyNow",
    locality: "TX",
    offers: [offer],
    personalInfo: person,
  });
  return { identityId, orderId: order.id };
}

test("somebody is found by the beginning of a name, wherever a record is looked for", async () => {
  const { identityId, orderId } = await somebody();
  const { page, context, complaints } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("DOBS");
  await page.getByRole("menuitem", { name: /Order ·/ }).waitFor();
  expect(await violationsInBoth(page, "palette-search")).toEqual([]);
  // The buyer is found, too.
  await page
    .getByRole("menuitem", { name: /Identity ·/ })
    .filter({ hasText: PERSON })
    .first()
    .waitFor();
  await page
    .getByRole("menuitem", { name: /Order ·/ })
    .first()
    .click();
  await page.waitForURL(new RegExp(`/r/orders/Order/${orderId}`));

  await page.getByRole("heading", { name: "Order", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("searchbox").fill("zuleika.d");
  await page
    .getByRole("menuitem", { name: new RegExp(`${PERSON}.*Identity ·`) })
    .first()
    .click();
  await page.waitForURL(new RegExp(identityId));

  await page.goto(`${server.url}/console/desk/identities`);
  await page.getByRole("combobox", { name: "Identity" }).fill("ZUL");
  await page.getByRole("option", { name: new RegExp(PERSON) }).click();
  await page.getByRole("heading", { name: PERSON, level: 1 }).waitFor();

  await page.goto(`${server.url}/console/r/orders/Order`);
  await rows(page).nth(3).waitFor();
  await page.getByLabel("Text").fill("dobson");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
  // The searched name is in no address.
  expect(page.url()).not.toContain("dobson");
  expect(await violationsInBoth(page, "list-search")).toEqual([]);
  await page.goto(`${server.url}/console/r/identity/Identity`);
  await rows(page).nth(3).waitFor();
  await page.getByLabel("Text").fill("zulu");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
  expect(complaints).toEqual([]);
  await context.close();
});

const LAWSON = "j.lawson-beaumont@members.pavise.example";

let madeLawson: ReturnType<typeof makeLawson> | undefined;

/** An identity and its order. A second try of the test finds them: there is one of each. */
function lawson() {
  madeLawson ??= makeLawson();
  return madeLawson;
}

async function makeLawson() {
  const staff = await api();
  const machine = await api("demo-machine");
  const { id: identityId } = await machine.post<{ id: string }>("/v1/identities", { realm: "User", emails: [LAWSON] });
  const { id: orderId } = await staff.post<{ id: string }>(`/v2/identities/${identityId}/orders`, {
    channel: "BuyNow",
    locality: "TX",
    offers: [
      {
        brand: "pavise",
        offerId: "20000000-0000-4000-8000-000000000001",
        selections: [{ productId: "10000000-0000-4000-8000-000000000001", tierId: "family" }],
      },
    ],
    personalInfo: { firstName: "James", lastName: "Lawson-Beaumont", email: LAWSON, phoneNumber: "(512) 555-0177" },
    authorizedUsers: [{ firstName: "Philippa", lastName: "Wotherspoon", type: "SPOUSE" }],
  });
  return { identityId, orderId };
}

test("people are found by words in any order, and by the telephone number on an order, however it is written", async () => {
  const { identityId, orderId } = await lawson();
  const { page, context, complaints } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("searchbox");
  const found = page.getByRole("menuitem", { name: /Order ·/ });
  const look = async (typed: string) => {
    const answered = awaitedLater(page.waitForResponse(/SearchOrders$/));
    await field.fill(typed);
    await answered;
  };
  for (const typed of ["james lawson", "Beaumont James", "wother phil", "512-555-0177", "+1 (512) 555 01"]) {
    await look(typed);
    await expect.poll(() => found.count(), { message: typed, timeout: 15_000 }).toBe(1);
    await page
      .getByRole("menuitem", { name: /Identity ·/ })
      .filter({ hasText: LAWSON })
      .first()
      .waitFor();
  }
  // Every word counts.
  await look("james wotherspoonx");
  await expect.poll(() => found.count()).toBe(0);
  await page.goto(`${server.url}/console/desk/identities`);
  await page.getByText("Looks through all, by the beginnings of names", { exact: false }).waitFor();
  await page.getByRole("combobox", { name: "Identity" }).fill("512 555 0177");
  await page.getByRole("option", { name: new RegExp(LAWSON) }).click();
  await page.waitForURL(new RegExp(identityId));
  await page.goto(`${server.url}/console/r/identity/Identity`);
  await rows(page).nth(3).waitFor();
  for (const typed of ["lawson james", "5125550177"]) {
    await page.getByLabel("Text").fill(typed);
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await expect.poll(() => rows(page).count(), { message: typed }).toBe(2);
    await rows(page).nth(1).getByText(LAWSON).first().waitFor();
  }
  await page.goto(`${server.url}/console/desk/orders`);
  await page.getByRole("combobox", { name: "Order" }).fill("lawson james");
  await page.getByRole("option").first().click();
  await page.waitForURL(new RegExp(orderId));
  // The words themselves are nobody's business.
  const staff = await api();
  const order = await staff.get<Record<string, unknown>>(`/v2/identities/${identityId}/orders/${orderId}`);
  expect(Object.keys(order)).not.toContain("searchWords");
  expect(complaints).toEqual([]);
  await context.close();
});

test.each([
  ["invoices", ""],
  ["invo", "ices"],
])("what is typed before the palette is there is not lost: %s%s", async (before, after) => {
  const { page, context, complaints } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/assets/Commands-*.js", async (route) => {
    await held;
    await route.continue();
  });
  const opener = page.getByRole("link", { name: "Security" });
  const field = page.getByRole("dialog").getByRole("searchbox");
  await opener.focus();
  await page.keyboard.press("Control+k");
  await field.waitFor();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await expect.poll(() => opener.evaluate((link) => link === document.activeElement)).toBe(true);

  await page.keyboard.press("Control+k");
  await page.keyboard.type(before);
  await expect.poll(() => field.inputValue()).toBe(before);
  expect(await violationsInBoth(page, "palette-coming")).toEqual([]);
  release?.();
  await page
    .getByRole("menuitem", { name: /Invoices/ })
    .first()
    .waitFor();
  await page.keyboard.type(after);
  await expect.poll(() => field.inputValue()).toBe("invoices");
  await page
    .getByRole("menuitem", { name: /Invoices/ })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Invoices", level: 1 }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
