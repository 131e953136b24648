// A call that needs a fresh proof asks for it in one dialog, and goes on.
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { asStaff, STAFF } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

const PATIENCE = 120_000;
const CALL = "**/pavise.identity.v1.FactorService/CreateFactor";
const TITLE = "First, show that it is you";

/** The bytes of a field of a message: its tag, its length and its content. */
function field(number: number, content: Uint8Array | string): number[] {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return [(number << 3) | 2, bytes.length, ...bytes];
}

/** The gRPC-web answer of a call whose proof is too old, as after ten minutes. */
function proofNeeded(): Buffer {
  const info = [...field(1, "PROOF_NEEDED"), ...field(2, "common.pavise")];
  const any = [...field(1, "type.googleapis.com/google.rpc.ErrorInfo"), ...field(2, Uint8Array.from(info))];
  const status = [0x08, 9, ...field(3, Uint8Array.from(any))];
  const text = `grpc-status: 9\r\ngrpc-status-details-bin: ${Buffer.from(status).toString("base64")}\r\n`;
  const head = Buffer.from([0x80, 0, 0, text.length >> 8, text.length & 0xff]);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** A member whose next call for a factor needs a proof; the idempotency keys of these calls. */
async function overdue() {
  const email = await newMember();
  const visitor = await visit();
  await visitor.page.goto(`${server.named}/app/security`);
  await signInAs(visitor.page, email);
  await visitor.page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
  const keys: string[] = [];
  await visitor.page.route(CALL, async (route: Route) => {
    keys.push(route.request().headers()["idempotency-key"] ?? "");
    if (keys.length > 1) return route.continue();
    return route.fulfill({ contentType: "application/grpc-web+proto", body: proofNeeded() });
  });
  return { ...visitor, keys };
}

async function addAnApp(page: Page) {
  await page.getByRole("button", { name: "Add a second step" }).click();
  await page.getByRole("dialog").getByText("Authenticator app", { exact: true }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog", { name: TITLE }).waitFor();
}

test(
  "an account without a second factor proves itself with the password, by keyboard, and the same call goes on",
  async () => {
    const { page, keys, errors, close } = await overdue();
    await addAnApp(page);
    expect(await violationsInBoth(page, "a proof by password")).toEqual([]);
    const typed = page.getByRole("dialog", { name: TITLE }).getByLabel("Your password");
    await typed.focus();
    await page.keyboard.type("not the password");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: TITLE }).getByRole("alert").waitFor();
    await typed.fill("");
    await typed.focus();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: "Picture for the app’s camera" }).waitFor();
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[0]).not.toBe("");
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "nothing happens without a proof",
  async () => {
    const { page, keys, close } = await overdue();
    await addAnApp(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: TITLE }).waitFor({ state: "detached" });
    expect(keys).toHaveLength(1);
    await close();
  },
  PATIENCE,
);

test(
  "an export that needs a proof asks for it before the first invoice, and goes on",
  async () => {
    const { page, context, complaints } = await asStaff("/console/desk/refunds");
    await page.getByRole("button", { name: "Export…" }).click();
    const dialog = page.getByRole("dialog", { name: "Export invoices" });
    const year = new Date().getUTCFullYear();
    for (const [label, day] of Object.entries({ "Due from": `0101${year}`, "Due until": `1231${year}` })) {
      await dialog.getByRole("group", { name: label }).getByRole("spinbutton").first().click();
      await page.keyboard.type(day);
    }
    const sent: (string | null)[] = [];
    await page.route("**/ExportInvoices", async (route: Route) => {
      sent.push(route.request().postData());
      if (sent.length > 1) return route.continue();
      return route.fulfill({ contentType: "application/grpc-web+proto", body: proofNeeded() });
    });
    await dialog.getByRole("button", { name: "Download CSV" }).click();
    const proof = page.getByRole("dialog", { name: TITLE });
    await proof.getByLabel("Your password").fill(server.password(STAFF));
    await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    await dialog.waitFor({ state: "detached" });
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
    expect(complaints).toEqual([]);
    await context.close();
  },
  PATIENCE,
);
