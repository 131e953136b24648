// Masked values on a record: staff give a reason, see them, and mask them again. The reading is recorded.
import { expect, test } from "vitest";
import { PASSWORD, newMember } from "./people.ts";
import { restOf } from "./rest.ts";
import { api, asStaff } from "./staff.ts";
import { violationsInBoth } from "./visit.ts";

const REASON = "The member asks which day we have";

test("a day of birth is shown for a reason, and recorded", async () => {
  const email = await newMember();
  const member = await restOf(email, PASSWORD);
  const { id } = await member.post<{ id: string }>(`/v2/identities/${member.id}/orders`, {
    channel: "BuyNow",
    locality: "TX",
    offers: [
      {
        brand: "pavise",
        offerId: "20000000-0000-4000-8000-000000000001",
        selections: [{ productId: "10000000-0000-4000-8000-000000000001", tierId: "family" }],
      },
    ],
    personalInfo: { firstName: "Ada", lastName: "Example", email },
    authorizedUsers: [{ firstName: "Charles", lastName: "Example", type: "SPOUSE", birthDate: "1984-03-09" }],
  });
  const { page, context, complaints } = await asStaff(`/console/r/orders/Order/${id}?owner=${member.id}`);
  const main = page.getByRole("main");
  await main.getByText("1984").first().waitFor();
  const whole = main.getByText(/Mar 9, 1984|March 9, 1984/).first();
  expect(await whole.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Show masked values…" }).click();
  const dialog = page.getByRole("dialog");
  const show = dialog.getByRole("button", { name: "Show the values" });
  expect(await show.isDisabled()).toBe(true);
  await dialog.getByLabel("Reason").fill(REASON);
  expect(await violationsInBoth(page, "the reason of a reveal")).toEqual([]);
  await show.click();
  await whole.waitFor();
  await page.getByRole("button", { name: "Mask the values again" }).click();
  await whole.waitFor({ state: "detached" });
  const staff = await api();
  // It is recorded a moment later.
  const reasons = async () => {
    const path = `/v1/identities/${member.id}/dataAccesses`;
    const { dataAccesses } = await staff.get<{ dataAccesses: { reason?: string }[] }>(path);
    return dataAccesses.map(({ reason }) => reason);
  };
  await expect.poll(reasons, { timeout: 30_000 }).toContain(REASON);
  expect(complaints).toEqual([]);
  await context.close();
});
