// Staff in the console: a signed-in page, its grid, and the checks of every screen.
import type { Page } from "playwright-core";
import { openPage, type Watched } from "./browser.ts";
import { PASSWORD } from "./people.ts";
import { browser, server } from "./platform.ts";
import { restOf } from "./rest.ts";

export const STAFF = "staff@demo.pavise.example";

/** Opens a page of the console as an identity, staff by default. */
export async function asStaff(
  path = "/console/",
  options: Parameters<typeof openPage>[1] & { name?: string } = {},
): Promise<Watched> {
  const watched = await openPage(browser, options);
  await watched.page.goto(`${server.url}${path}`);
  await signIn(watched.page, options.name);
  return watched;
}

/** Fills in the sign-in on the page. */
export async function signIn(page: Page, name = STAFF, password = server.password(name)) {
  await page.getByLabel("E-mail address or user name").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Goes to another address of the open app, as a link does. */
export async function goWithin(page: Page, path: string) {
  await page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
}

/** The rows of the grid on the page; the first is its head. */
export const rows = (page: Page) => page.getByRole("grid").getByRole("row");

/** A part of the page, by its heading. */
export const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** The platform over REST as staff, for data that a test needs. */
export const api = (name = STAFF) => restOf(name, server.password(name));

/** Makes staff that may do everything, as those of the demonstration, with the password of members. Returns the user name. */
export async function newStaff(): Promise<string> {
  const name = `staff-${crypto.randomUUID()}`;
  const permissions = [{ application: "pavise", permissions: ["*"] }];
  const staff = await api();
  await staff.post("/v1/identities", { realm: "Internal", usernames: [name], password: PASSWORD, permissions });
  return name;
}
