// A second step by text message is offered only where a channel sends it.
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { newMember, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { violationsInBoth, visit } from "./visit.ts";

vi.setConfig({ testTimeout: 120_000 });

/** The kinds of a second step that the security page offers. */
async function offered(page: Page): Promise<string[]> {
  await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
  await page.getByRole("button", { name: "Add a second step" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Authenticator app", { exact: true }).waitFor();
  const kinds = [];
  for (const kind of ["Authenticator app", "Text message", "E-mail"])
    if ((await dialog.getByText(kind, { exact: true }).count()) > 0) kinds.push(kind);
  return kinds;
}

test("a text message is no second step where only a mail server sends codes", async () => {
  // A first try may have left it without the outbox, where the letter to a new member is read.
  await server.restart();
  const email = await newMember();
  const { page, close } = await visit();
  await page.goto(`${server.named}/app/security`);
  await signInAs(page, email);
  expect(await offered(page)).toEqual(["Authenticator app", "Text message", "E-mail"]);
  await server.restart("--outbox=false", "--smtp-url", "smtp://127.0.0.1:1");
  await page.goto(`${server.named}/app/security`);
  expect(await offered(page)).toEqual(["Authenticator app", "E-mail"]);
  expect(await violationsInBoth(page, "second steps without text messages")).toEqual([]);
  await close();
});
