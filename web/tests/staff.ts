// Staff in the console: a signed-in page, its grid, and what every screen of the console is asked.
import type { Browser, Page } from "playwright-core";
import { openPage, type Watched } from "./browser.ts";
import type { Server } from "./server.ts";

export const STAFF = "staff@demo.pavise.example";

/** Opens a page of the console as somebody, staff unless another is named. */
export async function asStaff(browser: Browser, server: Server, path = "/console/", options: Parameters<typeof openPage>[1] & { name?: string } = {}): Promise<Watched> {
  const watched = await openPage(browser, options);
  await watched.page.goto(`${server.url}${path}`);
  await signIn(watched.page, server, options.name);
  return watched;
}

/** Fills in the sign-in that is on the page. */
export async function signIn(page: Page, server: Server, name = STAFF) {
  await page.getByLabel("E-mail address or user name").fill(name);
  await page.getByLabel("Password").fill(server.password(name));
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** The rows of the grid on the page; the first is its head. */
export const rows = (page: Page) => page.getByRole("grid").getByRole("row");

/** The platform over REST, as staff: for what a test needs to be there. */
export async function api(server: Server, name = STAFF) {
  const send = async (method: string, path: string, body: unknown, token?: string): Promise<Record<string, unknown>> => {
    const response = await fetch(server.url + path, {
      method,
      headers: { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { accessToken } = (await send("POST", "/v1/tokens", { email: name, password: server.password(name) })) as { accessToken: string };
  return {
    get: (path: string) => send("GET", path, undefined, accessToken),
    post: (path: string, body: unknown = {}) => send("POST", path, body, accessToken),
  };
}
