// An administrator of a group begins at the group, and reaches its record and its lists without an id.
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { api, asStaff, rows, section } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

vi.setConfig({ testTimeout: 180_000 });

const ADMIN = "admin@demo.pavise.example";
const HARBOR = "Harbor Logistics";

/** The lists of the start page: the link, which is the list's heading, too, and the call behind it. */
const LISTS = [
  ["Employees", "ListEmployees"],
  ["Group enrollments", "ListEnrollmentsOfGroup"],
  ["Orders", "SearchOrders"],
  ["Subscriptions", "ListGroupSubscriptions"],
] as const;

type Group = { id: string; name: string; authorizedIdentities?: { identityId?: string }[] };

/** Presses Tab until the link with the text is focused. */
async function tabTo(page: Page, group: string, text: string) {
  const link = section(page, group).getByRole("link", { name: text, exact: true });
  const reached = () => link.evaluate((one) => one === document.activeElement);
  for (let step = 0; step < 80 && !(await reached()); step += 1) await page.keyboard.press("Tab");
  expect(await reached()).toBe(true);
}

test("an administrator begins at their group, and opens its record and lists without typing an id", async () => {
  const admin = await api(ADMIN);
  const { groups } = await admin.get<{ groups: { id: string; number: string }[] }>("/v1/groups");
  expect(groups.length).toBe(1);
  const id = groups[0]?.id ?? "";
  const { page, context, complaints } = await asStaff("/console/", { name: ADMIN });
  await page.getByRole("heading", { name: HARBOR, level: 1 }).waitFor();
  const main = page.getByRole("main");
  for (const fact of ["Active", groups[0]?.number ?? "", "USA"]) {
    await main.getByText(fact, { exact: true }).first().waitFor();
  }
  expect(await violationsInBoth(page, "group-home")).toEqual([]);
  for (const [heading, call] of LISTS) {
    await section(page, HARBOR).getByRole("link", { name: heading, exact: true }).click();
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("by"), searchParams.get("group_id")]).toEqual([call, id]);
    if (call === "ListGroupSubscriptions") await page.getByText("Nothing found").waitFor();
    else await rows(page).nth(1).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: HARBOR, level: 1 }).waitFor();
  }
  // The navigation's own list is about the only group, too.
  await page.getByRole("navigation").getByRole("link", { name: "Employees", exact: true }).click();
  await rows(page).nth(1).waitFor();
  expect(new URL(page.url()).searchParams.get("group_id")).toBe(id);
  expect(complaints).toEqual([]);
  await context.close();
});

test("by keyboard alone: the group's record", async () => {
  const { page, context, complaints } = await asStaff("/console/", { name: ADMIN });
  await page.getByRole("heading", { name: HARBOR, level: 1 }).waitFor();
  await tabTo(page, HARBOR, "The group’s record");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/r\/groups\/Group\//);
  await page.getByText(HARBOR).first().waitFor();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("an administrator of several groups gets a part for each", async () => {
  const staff = await api();
  const admin = await api(ADMIN);
  const { groups } = await staff.get<{ groups: Group[] }>("/v1/groups?status=ACTIVE&pageSize=50");
  const other = groups.find(({ name }) => name !== HARBOR);
  const authorizedIdentities = [{ identityId: admin.id, email: ADMIN, type: "FILE_ADMINISTRATOR" }];
  // The group takes an identity once: a second try finds what the first one added.
  if (!other?.authorizedIdentities?.some(({ identityId }) => identityId === admin.id))
    await staff.post(`/v1/groups/${other?.id}/addAuthorizedIdentities`, { authorizedIdentities });
  await expect
    .poll(async () => (await (await api(ADMIN)).get<{ groups: object[] }>("/v1/groups")).groups.length)
    .toBe(2);
  const { page, context, complaints } = await asStaff("/console/", { name: ADMIN });
  await page.getByRole("heading", { name: "Your groups", level: 1 }).waitFor();
  await page.getByRole("heading", { name: HARBOR, level: 2 }).waitFor();
  const links = (name: string) => section(page, name).getByRole("link").allInnerTexts();
  const lists = LISTS.map(([heading]) => heading);
  expect(await links(HARBOR)).toEqual(["The group’s record", ...lists]);
  // Someone who only uploads files sees neither enrollments nor orders nor plans.
  expect(await links(other?.name ?? "")).toEqual(["The group’s record", "Employees"]);
  expect(await violationsInBoth(page, "group-homes")).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});
