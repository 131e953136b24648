// Refusals as members see them: what happened and what to do, in their language.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { awaitedLater } from "./browser.ts";
import { endSessions, familyOrder, familyPlan, newMember, PASSWORD, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { restOf } from "./rest.ts";
import { violationsInBoth, visit } from "./visit.ts";

const PATIENCE = 180_000;
const PERMISSION_DENIED = "7";
const UNAVAILABLE = "14";

/** Refuses the calls of a service from now on: a gRPC-web answer without a message. */
async function refuse(page: Page, service: string, status: string) {
  const headers = { "content-type": "application/grpc-web+proto", "grpc-status": status, "grpc-message": "no" };
  await page.route(`**/${service}/*`, (route) => route.fulfill({ status: 200, headers, body: "" }));
}

test(
  "a refused card: what happened and what to do, in French",
  async () => {
    const email = await newMember();
    const { order } = await familyOrder(email);
    const { page, errors, close } = await visit({ width: 390, height: 844, locale: "fr-CA" });
    await page.goto(`${server.url}/app/orders/${order}`);
    await page.getByText("Connectez-vous pour voir cette page.", { exact: false }).waitFor();
    await page.getByLabel("Adresse courriel").fill(email);
    await page.getByLabel("Mot de passe").fill(PASSWORD);
    await page.getByRole("button", { name: "Se connecter", exact: true }).click();
    await page.getByRole("heading", { name: "Paiement" }).waitFor();
    await page.getByRole("button", { name: "Utiliser 4000 0000 0000 0002" }).click();
    await page.getByRole("button", { name: /^Payer / }).click();
    const told = page.getByRole("alert");
    await told.getByText("Votre paiement a été refusé").waitFor();
    await told.getByText("Rien n’a été débité", { exact: false }).waitFor();
    expect(await violationsInBoth(page, "a refused card in French")).toEqual([]);
    await page.getByRole("button", { name: "Utiliser 4111 1111 1111 1111" }).click();
    await page.getByRole("button", { name: /^Payer / }).click();
    await page.getByRole("heading", { name: "Votre régime est actif" }).waitFor({ timeout: 60_000 });
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "a session that is ended elsewhere: the page says so, and comes back after the sign-in",
  async () => {
    const email = await newMember();
    await familyPlan(email);
    const { page, errors, close } = await visit();
    await page.goto(`${server.url}/app/plans`);
    // The page has read everything, so that the click is the first to find the ended session.
    const provisions = awaitedLater(page.waitForResponse((answer) => answer.url().endsWith("/ListProvisions")));
    await signInAs(page, email);
    await page.getByRole("button", { name: /^Cancel plan/ }).waitFor();
    await page.getByRole("button", { name: /^Cancel this order/ }).waitFor();
    await (await provisions).finished();
    await endSessions(email);
    await page.getByRole("button", { name: /^Cancel plan/ }).click();
    await page.getByRole("button", { name: "Cancel plan", exact: true }).click();
    await page.getByText("Sign in to see this page.", { exact: false }).waitFor();
    expect(await violationsInBoth(page, "an ended session")).toEqual([]);
    await signInAs(page, email);
    await page.getByRole("heading", { level: 1, name: "My plans" }).waitFor();
    await page.getByRole("button", { name: /^Cancel plan/ }).waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "a permission that is lost, and a service that does not answer: each says what to do",
  async () => {
    const email = await newMember();
    await familyPlan(email);
    const member = await restOf(email, PASSWORD);
    await member.post(`/v1/identities/${member.id}/profile/updateLocale`, { locale: "es-US" });
    const { page, errors, close } = await visit({ locale: "es-US" });
    await page.goto(`${server.url}/app/billing`);
    await page.getByLabel("Correo electrónico").fill(email);
    await page.getByLabel("Contraseña").fill(PASSWORD);
    await page.getByRole("button", { name: "Iniciar sesión", exact: true }).click();
    await page.getByText("Pagada").first().waitFor();

    await refuse(page, "pavise.billing.v1.InvoiceService", PERMISSION_DENIED);
    await page.reload();
    await page.getByRole("alert").getByText("No puede hacer esto").first().waitFor();
    expect(await violationsInBoth(page, "a lost permission")).toEqual([]);

    await page.unrouteAll();
    await refuse(page, "pavise.billing.v1.InvoiceService", UNAVAILABLE);
    await page.reload();
    await page.getByRole("alert").getByText("no responde", { exact: false }).first().waitFor();
    expect(await violationsInBoth(page, "a service that is away")).toEqual([]);
    await page.unrouteAll();
    // The balance and the lists of bills each ask again by themselves.
    const again = page.getByRole("button", { name: "Intentar de nuevo" });
    await expect
      .poll(
        async () => {
          if ((await again.count()) > 0) await again.first().click();
          return page.getByText("Pagada").count();
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0);
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "a part of the app that is not reached is said too",
  async () => {
    const { page, close } = await visit();
    await page.goto(`${server.url}/app/`);
    await page.getByRole("heading", { name: "Legal Plan" }).waitFor();
    await page.route("**/app/assets/SignInPage-*.js", (route) => route.abort());
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "This does not answer right now" }).waitFor();
    expect(await violationsInBoth(page, "a part that is not reached")).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await close();
  },
  PATIENCE,
);
