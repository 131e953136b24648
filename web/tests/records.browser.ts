// Staff open a record of every entity, with a history of several types of entries.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import type { JournalEntry, JournalPage } from "@pavise/schema/pavise/common/v1/journal_pb";
import { expect, test } from "vitest";
import { callOperation, requestOf } from "../apps/console/src/console/calls.ts";
import { contractOf } from "../apps/console/src/contract/load.ts";
import { type Operation } from "../apps/console/src/contract/operation.ts";
import { recordPath } from "../apps/console/src/contract/screens.ts";
import { server } from "./platform.ts";
import { api, asStaff, goWithin, rows } from "./staff.ts";
import { aYear } from "./year.ts";

const file = fileURLToPath(new URL("../packages/schema/src/gen/contract.binpb", import.meta.url));
const contract = contractOf(readFileSync(file));

/** The entries of every journal that staff may read, by the id of their record. */
async function journalled(): Promise<Map<string, JournalEntry[]>> {
  const { token } = await api();
  const signed: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
  const transport = createGrpcWebTransport({ baseUrl: server.url, interceptors: [signed] });
  async function read(journal: Operation, clock = 0n): Promise<JournalEntry[]> {
    const page = (await callOperation(transport, journal, requestOf(journal, { limit: 1000, clock }))) as JournalPage;
    return page.entries.length === 0 ? [] : [...page.entries, ...(await read(journal, page.clock))];
  }
  const journals = contract.operations.filter(({ kind }) => kind === "journal");
  const entries = await Promise.all(journals.map((journal) => read(journal)));
  const byId = new Map<string, JournalEntry[]>();
  for (const entry of entries.flat()) byId.set(entry.entityId, [...(byId.get(entry.entityId) ?? []), entry]);
  return byId;
}

function typesOf(entries: readonly JournalEntry[]) {
  return new Set(entries.map(({ entity }) => entity?.typeUrl.split("/").at(-1)));
}

function weight(entries: readonly JournalEntry[]): number {
  return typesOf(entries).size * 1000 + entries.length;
}

/** A record of each entity: the one with the most types of entries, then the most entries. */
async function records() {
  const all = [...(await journalled()).values()];
  return contract.entities.map((entity) => {
    const [entries] = all
      .filter((one) => typesOf(one).has(entity.desc.typeName))
      .toSorted((one, other) => weight(other) - weight(one));
    return { entity, entries };
  });
}

test("a record of every entity opens, with its history", async () => {
  await aYear();
  await (await api()).post("/v1/workers/identity.forget_challenges/trigger", {});
  let found: Awaited<ReturnType<typeof records>> = [];
  // A passkey needs a device, a vendor's page and events an account; nobody gives many plans another price; people choose by a
  // letter's link. Reads of staff are recorded a moment later.
  await expect
    .poll(async () => {
      found = await records();
      return found.filter(({ entries }) => entries === undefined).map(({ entity }) => entity.name);
    })
    .toEqual(["HostedEntry", "Repricing", "RepricingRow", "VendorEvent", "Passkey", "ContactPreference"]);
  const { page, context, complaints } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  const wrong: string[] = [];
  for (const { entity, entries } of found) {
    if (entries === undefined) continue;
    const [{ entityId, ownerId } = { entityId: "", ownerId: "" }] = entries;
    await goWithin(page, `/console${recordPath(entity, entityId)}?owner=${ownerId}`);
    await page.getByRole("main").getByText(entityId, { exact: true }).first().waitFor();
    const history = page.getByRole("region", { name: "History" });
    await history
      .getByRole("listitem")
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => wrong.push(`${entity.name}: no history`));
    if ((await page.getByRole("navigation").count()) === 0) wrong.push(`${entity.name}: no navigation`);
    for (const alert of await page.getByRole("alert").allTextContents()) wrong.push(`${entity.name}: ${alert}`);
    wrong.push(...complaints.splice(0).map((one) => `${entity.name}: ${one}`));
  }
  expect(wrong).toEqual([]);
  await context.close();
}, 180_000);

test("a part that breaks says so with the request's id; the frame stays, and other pages open", async () => {
  const { page, context } = await asStaff("/console/r/orders/Order");
  await rows(page).filter({ hasText: "Provisioned" }).first().click();
  await page.getByRole("heading", { name: "Related" }).waitFor();
  const record = page.url();
  await page.getByRole("navigation").getByRole("link", { name: "Permissions" }).click();
  await page.getByRole("heading", { name: "Permissions", level: 1 }).waitFor();
  await page.evaluate(() => {
    const whole = Intl.DateTimeFormat.prototype;
    Object.defineProperty(whole, "format", {
      get: () => {
        throw new RangeError("a day that cannot be said");
      },
    });
  });
  await goWithin(page, record);
  const broken = page.getByRole("main").getByRole("alert").first();
  await broken.getByText("Something went wrong on our side").waitFor();
  expect(await broken.locator("code").textContent()).toMatch(/^[0-9a-f-]{32,36}$/);
  await page.getByRole("heading", { name: "Order", exact: true, level: 1 }).waitFor();
  await page.getByRole("heading", { name: "Related" }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "API explorer" }).click();
  await page.getByRole("heading", { name: "API explorer", level: 1 }).waitFor();
  await context.close();
});

test("a page that does not arrive leaves the frame as it is", async () => {
  const { page, context } = await asStaff();
  await page.getByRole("heading", { name: "Where to?" }).waitFor();
  await page.route("**/assets/ExplorerPage-*.js", (route) => route.abort());
  await page.getByRole("navigation").getByRole("link", { name: "API explorer" }).click();
  await page.getByRole("main").getByRole("alert").getByText("Not available right now").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Permissions" }).click();
  await page.getByRole("heading", { name: "Permissions", level: 1 }).waitFor();
  expect(await page.getByRole("main").getByRole("alert").count()).toBe(0);
  await context.close();
});
