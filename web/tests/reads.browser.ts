// Reads of a member's data: the identity desk links to them and the list names the staff. The member sees that staff read.
import { expect, test, vi } from "vitest";
import { newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api, asStaff, rows, section } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

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

test("a member sees that staff read their data, and not who it was", async () => {
  const email = await newMember();
  const { id } = await restOf(email, PASSWORD);
  const { page, errors, close } = await visit({ width: 390 });
  await page.goto(`${server.url}/app/security`);
  await signInAs(page, email);
  const reads = page.getByRole("region", { name: "Who has read my data" });
  await reads.getByText("Nobody else has read your data.").waitFor();
  const staff = await api();
  await staff.get(`/v1/identities/${id}`);
  const lines = reads.getByRole("listitem");
  // It is recorded a moment later.
  const listed = async () => {
    await page.reload();
    await reads.getByText("Nobody else has read your data.").or(lines.first()).waitFor();
    return lines.allTextContents();
  };
  await expect.poll(listed, { timeout: 30_000, interval: 500 }).toHaveLength(1);
  expect(await lines.allTextContents()).toEqual([expect.stringContaining("Your accountPavise’s staff")]);
  expect(await reads.innerHTML()).not.toContain(staff.id);
  expect(await violationsInBoth(page, "the reads of one's own data")).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
