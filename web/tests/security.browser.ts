// The further sign-in methods of a member: each kind is set up, verified, used, renamed, removed.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { awaitedLater } from "./browser.ts";
import { newMember, PASSWORD, sentTo, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { newStaff, signIn } from "./staff.ts";
import { codeOf } from "./totp.ts";
import { violationsInBoth, visit, type Visit } from "./visit.ts";

const PATIENCE = 180_000;

/** A member on the security page. */
async function atSecurity(options: Visit = {}) {
  const email = await newMember();
  const visitor = await visit(options);
  await visitor.page.goto(`${server.named}/app/security`);
  await signInAs(visitor.page, email);
  await visitor.page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
  return { ...visitor, email };
}

async function choose(page: Page, kind: string) {
  await page.getByRole("button", { name: "Add a second step" }).click();
  await page.getByRole("dialog").getByText(kind, { exact: true }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Sets up an authenticator app and returns its secret. The next code is left for the sign-in. */
async function setUpApp(page: Page): Promise<string> {
  await choose(page, "Authenticator app");
  await page.getByRole("img", { name: "Picture for the app’s camera" }).waitFor();
  const secret = await page.getByRole("dialog").locator("code").innerText();
  await page.getByLabel("Code of six digits").fill("000000");
  await page.getByRole("button", { name: "Check and turn on" }).click();
  await page.getByRole("alert").getByText("That is not right").waitFor();
  expect(await violationsInBoth(page, "the authenticator")).toEqual([]);
  await page.getByLabel("Code of six digits").fill(codeOf(secret));
  await page.getByRole("button", { name: "Check and turn on" }).click();
  return secret;
}

/** The codes on the page; they are shown only once. */
async function recoveryCodes(page: Page): Promise<string[]> {
  const list = page.getByRole("list", { name: "Recovery codes" });
  await list.waitFor();
  const codes = await list.getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);
  return codes;
}

async function signOut(page: Page) {
  await page.getByRole("button", { name: "Sign out" }).last().click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

test(
  "an authenticator app is set up, and asked for at the next sign-in; a recovery code stands in for it once",
  async () => {
    const { page, email, close } = await atSecurity({ width: 1023 });
    expect(await violationsInBoth(page, "security")).toEqual([]);
    const secret = await setUpApp(page);
    const codes = await recoveryCodes(page);
    expect(await violationsInBoth(page, "the recovery codes")).toEqual([]);
    const download = awaitedLater(page.waitForEvent("download"));
    await page.getByRole("link", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toBe("pavise-recovery-codes.txt");
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("10 codes left").waitFor();
    await page.getByText("Asked first").waitFor();

    await signOut(page);
    await signInAs(page, email);
    await page.getByLabel("Code of six digits").waitFor();
    expect(await violationsInBoth(page, "the second step")).toEqual([]);
    await page.getByLabel("Code of six digits").fill(codeOf(secret, 1));
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();

    await signOut(page);
    await signInAs(page, email);
    await useRecoveryCode(page, codes[0] ?? "");
    await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
    await page.getByText("9 codes left").waitFor();

    await signOut(page);
    await signInAs(page, email);
    await useRecoveryCode(page, codes[0] ?? "");
    await page.getByRole("alert").getByText("That is not right").waitFor();
    await page.getByRole("textbox", { name: "Recovery code" }).fill((codes[1] ?? "").toLowerCase());
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
    await close();
  },
  PATIENCE,
);

async function useRecoveryCode(page: Page, code: string) {
  await page.getByRole("button", { name: /Prove it is you with/ }).click();
  await page.getByRole("option", { name: "A recovery code" }).click();
  await page.getByRole("textbox", { name: "Recovery code" }).fill(code);
  await page.getByRole("button", { name: "Go on" }).click();
}

test(
  "codes by mail and by telephone: each is proven, one is asked first, renamed, removed",
  async () => {
    const { page, errors, email, close } = await atSecurity({ width: 390, height: 844 });
    await choose(page, "E-mail");
    expect(await page.getByLabel("E-mail address").inputValue()).toBe(email);
    await page.getByRole("button", { name: "Send a code" }).click();
    await page.getByText("We sent a code to").waitFor();
    expect(await violationsInBoth(page, "a code by mail")).toEqual([]);
    const first = await sentTo(email, /\b(\d{6})\b/);
    await page.getByLabel("Code of six digits").fill(first);
    await page.getByRole("button", { name: "Check and turn on" }).click();
    await recoveryCodes(page);
    await page.getByRole("button", { name: "I have kept them" }).click();

    await choose(page, "Text message");
    await page.getByRole("button", { name: "Send a code" }).click();
    await page.getByText("Type a number such as").waitFor();
    const digits = String(Math.floor(Math.random() * 9000) + 1000);
    await page.getByLabel("Phone number").fill(`(512) 555-${digits}`);
    await page.getByRole("button", { name: "Send a code" }).click();
    await page.getByText("We sent a code to").waitFor();
    await page.getByLabel("Code of six digits").fill(await sentTo(`+1512555${digits}`, /\b(\d{6})\b/));
    await page.getByRole("button", { name: "Check and turn on" }).click();
    await page.getByText("Text message").first().waitFor();

    await page.getByRole("button", { name: "Change Text message" }).click();
    await page.getByRole("menuitem", { name: "Ask for it first" }).click();
    await page
      .getByRole("region", { name: "Second step" })
      .locator("div", { hasText: "Text message" })
      .getByText("Asked first")
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Change Text message" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByLabel("Name").fill("My telephone");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Change My telephone" }).click();
    expect(await violationsInBoth(page, "what can be done with it")).toEqual([]);
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page
      .getByRole("alertdialog", { name: "Remove My telephone?" })
      .getByRole("button", { name: "Remove" })
      .click();
    await page.getByText("My telephone").first().waitFor({ state: "detached" });
    expect(await violationsInBoth(page, "one kind left")).toEqual([]);

    await signOut(page);
    await signInAs(page, email);
    await page.getByLabel("Code of six digits").fill("000000");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("alert").getByText("That is not right").waitFor();
    await page.getByRole("button", { name: /Send a code to/ }).click();
    await page.getByRole("button", { name: "Send another code" }).waitFor();
    await page.getByLabel("Code of six digits").fill(await sentTo(email, /\b(\d{6})\b/, first));
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "a session that has proven nothing is asked for a proof before a factor goes, and nothing happens without one",
  async () => {
    const { page, email, close } = await atSecurity();
    const older = await visit({ width: 390, height: 844 });
    await older.page.goto(`${server.named}/app/security`);
    await signInAs(older.page, email);
    await older.page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
    const secret = await setUpApp(page);
    await recoveryCodes(page);
    await close();

    await older.page.reload();
    const remove = async () => {
      await older.page.getByRole("button", { name: "Change Authenticator app" }).click();
      await older.page.getByRole("menuitem", { name: "Remove" }).click();
      await older.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
      await older.page.getByRole("dialog", { name: "First, show that it is you" }).waitFor();
    };
    await remove();
    expect(await violationsInBoth(older.page, "a proof")).toEqual([]);
    await older.page.keyboard.press("Escape");
    await older.page.getByRole("dialog", { name: "First, show that it is you" }).waitFor({ state: "detached" });
    await older.page.keyboard.press("Escape");
    await older.page.getByText("Asked first").waitFor();
    // Nor can the session add a factor to prove itself with.
    await choose(older.page, "E-mail");
    await older.page.getByRole("button", { name: "Send a code" }).click();
    await older.page.getByRole("dialog", { name: "First, show that it is you" }).waitFor();
    await older.page.keyboard.press("Escape");
    await older.page.getByRole("dialog").first().waitFor({ state: "detached" });
    await older.page.getByText("Asked first").waitFor();
    await remove();
    await older.page.getByLabel("Code of six digits").fill(codeOf(secret, 1));
    await older.page.getByRole("button", { name: "Go on" }).click();
    await older.page.getByText("Only your password protects your account.").waitFor();
    expect(older.errors).toEqual([]);
    await older.close();
  },
  PATIENCE,
);

test(
  "a code is sent to answer the second step",
  async () => {
    const { page, errors, email, close } = await atSecurity();
    await choose(page, "E-mail");
    await page.getByRole("button", { name: "Send a code" }).click();
    const first = await sentTo(email, /\b(\d{6})\b/);
    await page.getByLabel("Code of six digits").fill(first);
    await page.getByRole("button", { name: "Check and turn on" }).click();
    await recoveryCodes(page);
    await page.getByRole("button", { name: "I have kept them" }).click();

    await signOut(page);
    await signInAs(page, email);
    await page.getByRole("button", { name: /^Send a code to a•+@example.com/ }).click();
    await page.getByRole("button", { name: "Send another code" }).waitFor();
    expect(await violationsInBoth(page, "a code to sign in")).toEqual([]);
    await page.getByLabel("Code of six digits").fill(await sentTo(email, /\b(\d{6})\b/, first));
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "staff with a second step sign in to the console with the app's code, and once with a recovery code",
  async () => {
    // Each try has its own staff: the second step stays.
    const name = await newStaff();
    const staff = await restOf(name, PASSWORD);
    const own = `/v1/identities/${staff.id}`;
    type Made = { factor: { id: string }; authenticator: { secretText: string } };
    const { factor, authenticator } = await staff.post<Made>(`${own}/factors`, { type: "GOOGLE" });
    const secret = authenticator.secretText;
    await staff.post(`${own}/factors/${factor.id}/verify`, { code: codeOf(secret) });
    const { codes } = await staff.post<{ codes: string[] }>(`${own}/recoveryCodes`);

    const { page, errors, close } = await visit();
    const enter = async () => {
      await page.goto(`${server.url}/console/`);
      await signIn(page, name, PASSWORD);
      await page.getByRole("heading", { name: "One more step" }).waitFor();
    };
    const leave = async () => {
      await page.getByRole("heading", { name: "Where to?" }).waitFor();
      await page.getByRole("link", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    };
    await enter();
    expect(await violationsInBoth(page, "the second step of staff")).toEqual([]);
    await page.getByLabel("Code of six digits").fill(codeOf(secret, 1));
    await page.getByRole("button", { name: "Go on" }).click();
    await leave();
    await enter();
    await useRecoveryCode(page, codes[0] ?? "");
    await leave();
    await enter();
    await useRecoveryCode(page, codes[0] ?? "");
    await page.getByRole("alert").getByText("That is not right").waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "a passkey is made, signs in alone, answers a second step, and is removed",
  async () => {
    const { page, errors, email, close } = await atSecurity();
    const devices = await page.context().newCDPSession(page);
    await devices.send("WebAuthn.enable");
    const options = {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const;
    await devices.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...options, automaticPresenceSimulation: true },
    });

    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.getByRole("button", { name: "Change Chrome · Linux" }).waitFor();
    await setUpApp(page);
    await recoveryCodes(page);
    await page.getByRole("button", { name: "I have kept them" }).click();

    await signOut(page);
    expect(await violationsInBoth(page, "the sign-in with a passkey")).toEqual([]);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();

    await signOut(page);
    await signInAs(page, email);
    await page.getByRole("button", { name: /Prove it is you with/ }).click();
    await page.getByRole("option", { name: "A passkey" }).click();
    await page.getByRole("button", { name: "Use the passkey" }).click();
    await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();

    await page.getByRole("button", { name: "Change Chrome · Linux" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No passkey yet.").waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);
