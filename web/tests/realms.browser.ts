// Each realm signs in to its own pages, and sees its own navigation.
import { expect, test } from "vitest";
import { signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { signIn } from "./staff.ts";
import { violationsInBoth, visit } from "./visit.ts";

const PATIENCE = 120_000;
const nameOf = (who: string) => `${who}@demo.pavise.example`;

test(
  "a member finds plans, bills and family",
  async () => {
    const { page, errors, close } = await visit();
    await page.goto(`${server.url}/app/home`);
    await signInAs(page, nameOf("member"), server.password(nameOf("member")));
    const places = page.getByRole("navigation");
    for (const place of ["Home", "My plans", "Billing", "Family", "Profile", "Consents", "Security"]) {
      await places.getByRole("link", { name: place, exact: true }).waitFor();
    }
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

/** The visible and the hidden parts of the console for each realm. */
const REALMS = [
  ["staff", ["Orders", "Identities", "Journals", "Permissions"], []],
  ["partner", ["API explorer"], ["Journals", "Identities"]],
  ["admin", ["API explorer"], ["Journals", "Identities"]],
] as const;

test.each(REALMS)(
  "%s signs in to the console and sees what is his",
  async (who, seen, unseen) => {
    const { page, errors, close } = await visit();
    await page.goto(`${server.url}/console/`);
    await signIn(page, nameOf(who));
    const places = page.getByRole("navigation");
    for (const place of seen) await places.getByRole("link", { name: place, exact: true }).first().waitFor();
    for (const place of unseen) expect(await places.getByRole("link", { name: place, exact: true }).count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test.each(["staff", "partner", "admin"])(
  "%s is led from the member app to the console, or signs out there",
  async (who) => {
    const { page, errors, close } = await visit({ width: 1023 });
    await page.goto(`${server.url}/app/home`);
    await signInAs(page, nameOf(who), server.password(nameOf(who)));
    await page.getByRole("heading", { name: "This page is for somebody else" }).waitFor();
    expect(await page.getByRole("link", { name: "Go to the console" }).getAttribute("href")).toBe("/console/");
    expect(await violationsInBoth(page, "somebody else’s page")).toEqual([]);
    await page.getByRole("button", { name: "Sign out, to sign in as somebody else" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

/** The heading of each page that an address can be composed of. */
const COMPOSED = [
  ["app", "sign-in", "Sign in"],
  ["app", "sign-up", "Create your account"],
  ["app", "sign-out", "You are signed out"],
  ["app", "cross-realm", "This page is for somebody else"],
  ["console", "sign-in", "Pavise Console"],
  ["console", "sign-out", "You are signed out"],
  ["console", "cross-realm", "This page is for somebody else"],
] as const;

test.each(COMPOSED)(
  "the composed address of %s %s is that of a page",
  async (app, composed, heading) => {
    const answer = await fetch(`${server.url}/v1/signIn/address?app=${app}&page=${composed}`);
    const { address } = (await answer.json()) as { address: string };
    const { pathname, search } = new URL(address, server.url);
    const { page, errors, close } = await visit();
    await page.goto(`${server.url}${pathname}${search}`);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    expect(pathname).toBe(`/${app}/${composed}`);
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);
