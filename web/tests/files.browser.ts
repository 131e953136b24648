// Files in the console: an export is saved under its name, and an import says what it takes before it sends anything.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { newMember, PASSWORD } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { api, asStaff, section } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

type Export = { readonly id: string; readonly status: string };

test("an export of invoices is saved as the file that REST answers", async () => {
  const staff = await api();
  const { id } = await staff.post<Export>("/v1/invoiceExports", { dueFrom: "2026-01-01", dueUntil: "2026-12-31" });
  const path = `/v1/invoiceExports/${id}`;
  await expect.poll(async () => (await staff.get<Export>(path)).status, { timeout: 30_000 }).toBe("READY");
  const answer = await fetch(`${server.url}${path}/file`, { headers: { authorization: `Bearer ${staff.token}` } });
  const { page, context, complaints } = await asStaff(
    `/console/x/InvoiceExportService/DownloadInvoiceExport?invoice_export_id=${id}`,
  );
  const button = page.getByRole("button", { name: "Download" });
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  expect(answer.headers.get("content-disposition")).toContain(download.suggestedFilename());
  expect(await readFile(await download.path(), "utf8")).toBe(await answer.text());
  await page.getByText(`Saved: ${download.suggestedFilename()}`).waitFor();
  expect(await violationsInBoth(page, "a download")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("an import says which files it takes, and what became of each line", async () => {
  const { id } = await restOf(await newMember(), PASSWORD);
  const { page, context, complaints } = await asStaff("/console/x/IdentityService/ImportPasswords");
  const input = page.getByLabel("File");
  await page.getByText("application/x-ndjson, at most 256 MiB.").waitFor();
  const send = page.getByRole("button", { name: "Import passwords" });
  expect(await send.isDisabled()).toBe(true);
  await input.setInputFiles({ name: "faces.png", mimeType: "image/png", buffer: Buffer.from("x") });
  await page.getByRole("alert").getByText("Files of this type are not taken: image/png").waitFor();
  expect(await send.isDisabled()).toBe(true);
  const hash = "$pbkdf2-sha256$1000$AAECAwQFBgcICQoLDA0ODw$AhaeZ02AwPxykuhhDI8XvhQN8GKvmqM.qF6qvs/98I0";
  const lines = [JSON.stringify({ userId: id, passwordHash: hash }), "no JSON"].join("\n");
  await input.setInputFiles({ name: "passwords.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from(lines) });
  await page.getByText(`passwords.ndjson · ${lines.length} B`).waitFor();
  expect(await violationsInBoth(page, "an import")).toEqual([]);
  await send.click();
  const answer = section(page, "Answer");
  // The member keeps the password that they have; the other line is refused by its number.
  await answer.getByText("Kept").waitFor();
  expect((await answer.textContent())?.replaceAll(/\s+/g, " ")).toMatch(/Kept ?1.*Refused ?1/);
  expect(complaints).toEqual([]);
  await context.close();
});
