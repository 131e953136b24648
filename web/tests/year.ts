// A year of changes through the calls: data that the demonstration lacks, and several versions of its data.
import { expect } from "vitest";
import { familyPlan, newEmail, newMember, PASSWORD } from "./people.ts";
import { call, restOf } from "./rest.ts";
import { api } from "./staff.ts";
import { codeOf } from "./totp.ts";

type Rest = Awaited<ReturnType<typeof restOf>>;
type Made = { readonly id: string };

/** Plays a year: a family buys, moves, forgets its passwords, and staff help it. */
export async function aYear(): Promise<void> {
  const email = await newMember();
  await familyPlan(email);
  const [first, staff] = [await restOf(email, PASSWORD), await api()];
  await plan(first, staff);
  await people(first, staff, email);
  // A merge ends the tokens of both identities.
  const member = await restOf(email, PASSWORD);
  await programs(member, staff);
  await catalog(staff);
  await signIn(member, email);
}

/** Suspends and activates the subscription, adds a tax and a note, exports invoices, invites to the plan. */
async function plan(member: Rest, staff: Rest) {
  const own = `/v1/identities/${member.id}`;
  const { subscriptions } = await member.get<{ subscriptions: Made[] }>(`${own}/subscriptions`);
  const { entitlements } = await member.get<{ entitlements: Made[] }>(`${own}/entitlements`);
  await staff.post(`${own}/subscriptions/${subscriptions[0]?.id}/suspend`);
  await staff.post(`${own}/subscriptions/${subscriptions[0]?.id}/activate`);
  await staff.post("/v1/invoiceExports", { dueFrom: "2026-01-01", dueUntil: "2026-12-31" });
  await staff.post("/v1/taxes", {
    locality: "TX",
    component: "STATE",
    category: "LEGAL",
    ratePpm: 62_500,
    effectiveFrom: "2030-01-01",
  });
  const { orders } = await member.get<{ orders: Made[] }>(`${own}/orders`);
  const notes = `/v1/orders/${orders[0]?.id}/notes`;
  const note = await staff.post<Made>(notes, { text: "Called about the taxes.", kind: "CALL" });
  await staff.post(`${notes}/${note.id}/update`, { text: "Called about the taxes of the year." });
  await staff.post(`${notes}/${note.id}/pin`);
  const invitee = { name: "Charles", email: newEmail("charles"), locale: "en-US", relationType: "SPOUSE" };
  const invitation = await member.post<Made>("/v1/invitations", {
    identityId: member.id,
    invitee,
    resourceType: "ENTITLEMENT",
    resourceId: entitlements[0]?.id,
  });
  await staff.post(`/v1/invitations/${invitation.id}/updateInvitee`, {
    invitee: { ...invitee, name: "Charles Example" },
  });
}

/** Names, addresses, passwords; a merge of two identities of one person. */
async function people(member: Rest, staff: Rest, email: string) {
  const own = `/v1/identities/${member.id}`;
  await member.post(`${own}/addEmail`, { email: newEmail("second") });
  await member.post(`/v1/users/${member.id}/updatePassword`, { oldPassword: PASSWORD, newPassword: `${PASSWORD} two` });
  await member.post(`/v1/users/${member.id}/updatePassword`, { oldPassword: `${PASSWORD} two`, newPassword: PASSWORD });
  await call("POST", "/v1/sendPasswordResetEmail", { body: { email } });
  const { id: twice } = await restOf(await newMember(), PASSWORD);
  const { id: merge } = await staff.post<Made>(`${own}/merge?mergedIdentityId=${twice}`);
  const status = async () => (await staff.get<{ status: string }>(`/v1/identities/merges/${merge}`)).status;
  await expect.poll(status, { timeout: 60_000 }).toBe("COMPLETE");
  await staff.get(own);
  await staff.post(`${own}/impersonate`, { reason: "A question about the bill" });
}

/** A version of a product is kept as it is, and the product gets an address. */
async function catalog(staff: Rest) {
  const { products } = await staff.get<{ products: Made[] }>("/v1/products");
  await staff.post(`/v1/products/${products[0]?.id}/versionProduct`);
  await staff.post(`/v1/products/${products[0]?.id}/updateSiteName`, { siteName: "the-plan-of-the-year" });
}

/** User state, application settings, and an application that signs in with its key. */
async function programs(member: Rest, staff: Rest) {
  const own = `/v1/identities/${member.id}`;
  const state = await staff.post<Made>(`${own}/userStates`, { application: "All" });
  await staff.post(`${own}/userStates/${state.id}/updateChatVersion`, { chatVersion: "2" });
  const settings = `${own}/applicationSettings`;
  const setting = await staff.post<Made>(settings, {
    applicationName: "portal",
    name: "look",
    settings: { theme: "dark" },
  });
  await staff.post(`${settings}/${setting.id}/share`, { shared: true });
  await staff.put(`/v1/identities/${staff.id}/consolePreferences`, { density: "COMFORTABLE" });
  const applications = `/v1/identities/${staff.id}/applications`;
  const made = await staff.post<{ application: Made; key: string }>(applications, {
    name: "Reports",
    permissions: [{ application: "pavise", permissions: ["orders.orders.read"] }],
  });
  await staff.post(`${applications}/${made.application.id}/updateName`, { name: "Yearly reports" });
  await call("POST", "/v1/applications/token", { body: { key: made.key } });
}

/** A security question is set up and renamed, and asks nothing of a sign-in. An authenticator app does. */
async function signIn({ id }: Rest, email: string) {
  // The changes of the password ended the session before.
  const member = await restOf(email, PASSWORD);
  const factors = `/v1/identities/${id}/factors`;
  const { factor } = await member.post<{ factor: Made }>(factors, {
    type: "QUESTION",
    question: { type: "TEXT", question: "The first pet?", answer: "a seahorse" },
  });
  await member.post(`${factors}/${factor.id}/verify`, { answer: "a seahorse" });
  await member.post(`${factors}/${factor.id}/updateName`, { name: "The pet" });
  const body = { email, password: PASSWORD };
  expect((await call<{ challenge?: object }>("POST", "/v1/tokens", { body })).challenge).toBeUndefined();
  const app = await member.post<{ factor: Made; authenticator: { secretText: string } }>(factors, { type: "GOOGLE" });
  await member.post(`${factors}/${app.factor.id}/verify`, { code: codeOf(app.authenticator.secretText) });
  expect((await call<{ challenge?: object }>("POST", "/v1/tokens", { body })).challenge).toBeDefined();
}
