// The identity desk links to the staff who read a member's data, and the list names them.
import { expect, test, vi } from "vitest";
import { newMember, PASSWORD } from "./people.ts";
import { restOf } from "./rest.ts";
import { asStaff, rows, section } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

test("the reads of a member's data by staff are listed from the member's desk", async () => {
  const { id } = await restOf(await newMember(), PASSWORD);
  const { page, context, complaints } = await asStaff(`/console/desk/identities/${id}`);
  const owned = section(page, "What belongs to it");
  await owned.getByRole("link", { name: "Payment methods" }).waitFor();
  await owned.getByRole("link", { name: "Data accesses" }).click();
  await page.getByRole("heading", { name: "Data accesses", level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get("identity_id")).toBe(id);
  // The desk itself was such a read. It is recorded a moment later.
  const read = rows(page).filter({ hasText: "Internal" });
  const listed = async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    return read.count();
  };
  await expect.poll(listed, { timeout: 30_000, interval: 1000 }).toBeGreaterThan(0);
  expect(await violationsInBoth(page, "the reads of a member's data")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});
