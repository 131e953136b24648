// The children of a record on its page: the notes of staff on an order.
import { expect, test, vi } from "vitest";
import { api, asStaff, section, STAFF } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

type Made = { id: string };

test("staff write a note on an order, pin it, and see it first, with its author", async () => {
  const staff = await api();
  const { orders } = await staff.post<{ orders: Made[] }>("/v1/orders/search", { status: "PROVISIONED", pageSize: 1 });
  const path = `/v1/orders/${orders[0]?.id}/notes`;
  // Each try has its own texts, so that a second one finds its own notes.
  const [mine, later] = [`Called back (${crypto.randomUUID()})`, `Later (${crypto.randomUUID()})`];
  const { page, context, complaints } = await asStaff(`/console/r/orders/Order/${orders[0]?.id}`);
  const notes = section(page, "Order notes");
  const rows = notes.getByRole("row");
  await notes.getByRole("button", { name: "Create order note" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Text" }).fill(`  ${mine} `);
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText(mine).first().waitFor();
  await dialog.getByRole("button", { name: "Create order note" }).click();
  await rows.filter({ hasText: mine }).getByText(STAFF).waitFor();
  await dialog.waitFor({ state: "detached" });

  await staff.post<Made>(path, { text: later });
  await page.reload();
  await rows.filter({ hasText: later }).waitFor();
  const place = async (text: string) => (await rows.allInnerTexts()).findIndex((row) => row.includes(text));
  expect(await place(later)).toBeLessThan(await place(mine));
  expect(await violationsInBoth(page, "order-notes")).toEqual([]);

  // By keyboard alone.
  await rows.filter({ hasText: mine }).getByRole("button", { name: "Pin order note" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Review" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Pin order note" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => place(mine), { timeout: 20_000 }).toBe(1);
  const first = rows.nth(1);
  expect(await first.innerText()).toContain("Pinned");
  expect(await first.innerText()).toContain(STAFF);

  await first.getByRole("link", { name: "Open" }).click();
  await page.getByRole("heading", { name: "Order note", level: 1 }).waitFor();
  await page.getByRole("region", { name: "History" }).getByText("Pinned").first().waitFor();
  await page.getByRole("main").getByRole("link", { name: "Order", exact: true }).first().click();
  await notes.getByText(mine).waitFor();
  expect(await page.getByRole("navigation").getByRole("link", { name: "Order notes" }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});
