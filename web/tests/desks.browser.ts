// The desks: an order in full, a refund by mouse and by keyboard alone, impersonation, the catalog.
import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { server } from "./platform.ts";
import { api, asStaff, section } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

// Each test visits several pages, and checks them in both themes.
vi.setConfig({ testTimeout: 180_000 });

type Amount = { amount: string };
type Invoice = {
  id: string;
  ownerId: string;
  orderId?: string;
  status: string;
  total: Amount;
  refundedAmount?: Amount;
};

/** Members with a payment of which nothing is given back yet, with the addresses that find them. */
async function payers() {
  const staff = await api();
  const { identities } = await staff.get<{ identities: { id: string; emails?: { address: string }[] }[] }>(
    "/v1/identities?realm=User&pageSize=200",
  );
  const found: { id: string; email: string; invoice: Invoice }[] = [];
  for (const { id, emails } of identities) {
    const { invoices = [] } = await staff.get<{ invoices?: Invoice[] }>(`/v1/identities/${id}/invoices`);
    const paid = invoices.find(
      ({ status, refundedAmount }) => status === "PAID" && Number(refundedAmount?.amount ?? 0) === 0,
    );
    const email = emails?.[0]?.address;
    if (paid !== undefined && email !== undefined) found.push({ id, email, invoice: paid });
  }
  return found;
}

test("an order is seen with everything that came of it", async () => {
  const payer = (await payers()).find(({ invoice }) => (invoice.orderId ?? "") !== "");
  const { page, context, complaints } = await asStaff(`/console/r/orders/Order/${payer?.invoice.orderId}`);
  await page.getByRole("link", { name: "Open at the desk" }).click();
  await page.waitForURL(/\/desk\/orders\//);
  await section(page, "What is bought").getByRole("row").nth(1).waitFor();
  await section(page, "Payment tries").getByText("Approved").first().waitFor();
  await section(page, "Invoices").getByText("Paid").first().waitFor();
  await section(page, "Setting up").getByText("Completed").first().waitFor();
  await section(page, "What happened")
    .getByText(/Invoice · /)
    .first()
    .waitFor();
  await section(page, "What happened")
    .getByText(/Transaction · /)
    .first()
    .waitFor();
  await section(page, "What can be done next").getByText("Not possible now: 5").click();
  await section(page, "What can be done next").getByText("Purchase order: Not while it is Provisioned.").waitFor();
  expect(await violationsInBoth(page, "desk-order")).toEqual([]);
  await section(page, "Setting up").getByRole("link").first().click();
  await section(page, "How far it is").getByText("Completed").waitFor();
  expect(await violationsInBoth(page, "desk-provision")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("by mouse: a part is given back, then never more than what is left", async () => {
  const [payer] = await payers();
  const { page, context, complaints } = await asStaff("/console/desk/refunds");
  await page.getByRole("heading", { name: "Invoices and refunds", level: 1 }).waitFor();
  expect(await violationsInBoth(page, "desk-refunds-empty")).toEqual([]);
  await page.getByRole("combobox", { name: "Member" }).fill(payer?.email ?? "");
  await page
    .getByRole("option")
    .filter({ hasText: payer?.email ?? "" })
    .click();
  await page.locator(`a[href*="invoice=${payer?.invoice.id}"]`).click();
  const form = page.getByRole("form", { name: "Refund" });
  await form.getByText("A part").click();
  await form.getByRole("textbox", { name: "Amount" }).fill("5.00");
  const left = (Number(payer?.invoice.total.amount) - 500) / 100;
  await form
    .locator("[aria-live]")
    .getByText(`$${left.toFixed(2)}`)
    .waitFor();
  await form.getByRole("textbox", { name: "Amount" }).fill("5000");
  await form.getByText(/At most (CA)?\$/).waitFor();
  expect(await form.getByRole("button", { name: "Refund…" }).isDisabled()).toBe(true);
  await form.getByRole("textbox", { name: "Amount" }).fill("5.00");
  await form.getByRole("button", { name: /^Refund (CA)?\$5\.00…$/ }).click();
  expect(await violationsInBoth(page, "desk-refunds-ask")).toEqual([]);
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Refund (CA)?\$5\.00$/ })
    .click();
  // On failure the poll reports the alert's text.
  await expect.poll(() => form.getByRole("alert").innerText(), { timeout: 30_000 }).toContain("It is given back");
  await form.getByRole("alert").getByText("Vendor’s reference").waitFor();
  await section(page, "Refunds").getByRole("row").nth(1).getByText("$5.00").waitFor();
  await form.getByText(new RegExp(`All that is left: (CA)?\\$${left.toFixed(2)}`)).waitFor();
  expect(await violationsInBoth(page, "desk-refunds")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("by keyboard alone: all that is left is given back", async () => {
  const [, payer] = await payers();
  const { page, context } = await asStaff();
  const tabTo = async (where: () => Promise<boolean>) => {
    for (let step = 0; step < 80 && !(await where()); step += 1) await page.keyboard.press("Tab");
    expect(await where()).toBe(true);
  };
  const focused = (pattern: RegExp) => async () =>
    pattern.test(
      await page.evaluate(
        () => `${document.activeElement?.textContent ?? ""} ${document.activeElement?.getAttribute("href") ?? ""}`,
      ),
    );
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("invoices and refunds");
  await page.getByRole("menuitem", { name: /Invoices and refunds/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Invoices and refunds", level: 1 }).waitFor();
  await tabTo(() => page.getByRole("combobox", { name: "Member" }).evaluate((box) => box === document.activeElement));
  await page.keyboard.type(payer?.email ?? "");
  // Enter is pressed before any result: the record is chosen once it is found.
  await page.keyboard.press("Enter");
  await page.locator(`a[href*="invoice=${payer?.invoice.id}"]`).waitFor();
  await tabTo(focused(new RegExp(`invoice=${payer?.invoice.id}`)));
  await page.keyboard.press("Enter");
  const form = page.getByRole("form", { name: "Refund" });
  await form.waitFor();
  await tabTo(focused(/^Refund (CA)?\$[\d.]+…/));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog");
  await dialog.waitFor();
  await tabTo(focused(/^Refund (CA)?\$[\d.]+ $/));
  await page.keyboard.press("Enter");
  await section(page, "Invoice").getByText("Refunded", { exact: true }).first().waitFor();
  await section(page, "Refunds").getByText("Approved").first().waitFor();
  await context.close();
});

test("staff act in a member's name: with a reason, under a banner, until they end it", async () => {
  // Each try has its own reason, so that a second one finds its own entry.
  const reason = `The plan is not found (${crypto.randomUUID()})`;
  const { page, context, complaints } = await asStaff("/console/desk/identities");
  await page.getByRole("combobox", { name: "Identity" }).fill("member@demo.pavise.example");
  await page.getByRole("option").filter({ hasText: "member@demo" }).click();
  await page.getByRole("heading", { name: "member@demo.pavise.example", level: 1 }).waitFor();
  await section(page, "How it signs in").getByText("Password", { exact: true }).waitFor();
  await section(page, "Where it is signed in").waitFor();
  expect(await violationsInBoth(page, "desk-identity")).toEqual([]);
  await page.getByRole("button", { name: "Act in its name…" }).click();
  const dialog = page.getByRole("alertdialog");
  expect(await dialog.getByRole("button", { name: "Act in its name" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Act in its name" }).click();
  const banner = page.getByRole("status").filter({ hasText: "You act for somebody else" });
  await banner.getByText("reading only").waitFor();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  // The navigation offers only what the member may do: no desks, no journals.
  expect(await page.getByRole("navigation").getByRole("link", { name: "Order desk" }).count()).toBe(0);
  expect(await violationsInBoth(page, "desk-acting")).toEqual([]);
  await page.reload();
  await banner.waitFor();
  await banner.getByRole("button", { name: "End it" }).click();
  await page.getByRole("heading", { name: "member@demo.pavise.example", level: 1 }).waitFor();
  await banner.waitFor({ state: "hidden" });
  const acted = section(page, "Who acted in its name");
  await acted.getByText(reason).waitFor();
  await acted.getByText("Ended").first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("a session is ended by staff, and whoever used it is signed out", async () => {
  const member = await asStaff("/console/", { name: "partner@demo.pavise.example" });
  await member.page.getByRole("heading", { name: "Where to?" }).waitFor();
  const { page, context } = await asStaff("/console/desk/identities");
  await page.getByRole("combobox", { name: "Identity" }).fill("partner@demo.pavise.example");
  await page.getByRole("option").filter({ hasText: "partner@demo" }).click();
  await section(page, "Where it is signed in").getByRole("button", { name: "End all", exact: true }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /End all \d/ })
    .click();
  await section(page, "Where it is signed in").getByText("Nowhere").waitFor();
  await member.page.goto(`${server.url}/console/`);
  await member.page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(new URL(member.page.url()).pathname).toBe("/console/sign-in");
  await context.close();
  await member.context.close();
});

test("the catalog shows products and offers with their prices, places and what is next", async () => {
  const { page, context, complaints } = await asStaff("/console/desk/catalog");
  await section(page, "Products").getByRole("row").nth(1).waitFor();
  expect(await violationsInBoth(page, "desk-catalog")).toEqual([]);
  await section(page, "Products").getByRole("link", { name: "Legal Plan", exact: true }).click();
  await section(page, "Tiers and their prices").getByText(/\$\d/).first().waitFor();
  expect(await violationsInBoth(page, "desk-product")).toEqual([]);
  await section(page, "Offers that sell it").getByRole("link").first().click();
  await section(page, "What is in it").getByText(/\$\d/).first().waitFor();
  await section(page, "What can be done next").getByRole("button").first().waitFor();
  expect(await violationsInBoth(page, "desk-offer")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("accounting exports the invoices of a range of days, and can stop it", async () => {
  const staff = await api();
  const year = new Date().getUTCFullYear();
  const rows = await staff.get<{ number: string; status: string; total: { amount: string } }[]>(
    `/v1/invoices/export?dueFrom=${year}-01-01&dueUntil=${year}-12-31`,
  );
  expect(rows.length).toBeGreaterThan(1);
  const { page, context, complaints } = await asStaff("/console/desk/refunds");
  await page.getByRole("button", { name: "Export…" }).click();
  const dialog = page.getByRole("dialog", { name: "Export invoices" });
  const type = async (label: string, day: string) => {
    await dialog.getByRole("group", { name: label }).getByRole("spinbutton").first().click();
    await page.keyboard.type(day);
  };
  await type("Due from", `0101${year}`);
  await type("Due until", `1231${year + 2}`);
  await dialog.getByRole("button", { name: "Download CSV" }).click();
  await dialog.getByText("Must be within 366 days", { exact: true }).waitFor();
  await type("Due until", `1231${year}`);
  expect(await violationsInBoth(page, "desk-export")).toEqual([]);
  // An answer that does not come can be stopped.
  await page.route("**/ExportInvoices", () => new Promise(() => undefined));
  await dialog.getByRole("button", { name: "Download CSV" }).click();
  await dialog.getByText("Invoices so far: 0").waitFor();
  await dialog.getByRole("button", { name: "Stop the export" }).click();
  await dialog.getByRole("button", { name: "Download CSV" }).waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  await page.getByText(`Exported invoices: ${rows.length}`).waitFor();
  await dialog.waitFor({ state: "detached" });
  expect(file.suggestedFilename()).toBe(`invoices-${year}-01-01-${year}-12-31.csv`);
  const lines = (await readFile(await file.path(), "utf8")).replace("\uFEFF", "").split("\r\n");
  expect(lines[0]).toContain(",Status,Issued on,Due on,Total,");
  const cells = lines.slice(1).map((line) => line.split(","));
  expect(cells.map(([, number]) => number)).toEqual(rows.map(({ number }) => number));
  expect(cells.map((line) => line[8])).toEqual(rows.map(({ total }) => (Number(total.amount) / 100).toFixed(2)));
  expect(complaints.filter((one) => !one.includes("ExportInvoices"))).toEqual([]);
  await context.close();
});
