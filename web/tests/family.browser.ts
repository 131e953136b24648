// A household: a person is invited, accepts, is covered, is removed and is added again.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { familyPlan, newEmail, newMember, PASSWORD, sentTo, signInAs } from "./people.ts";
import { server } from "./platform.ts";
import { violationsInBoth, visit } from "./visit.ts";

const PATIENCE = 180_000;

async function atFamily(page: Page, email: string) {
  await page.goto(`${server.url}/app/family`);
  await signInAs(page, email);
  await page.getByRole("heading", { level: 2, name: "Legal Plan" }).waitFor();
}

test(
  "somebody is invited, accepts with an account of his own and is covered, and is removed",
  async () => {
    const email = await newMember();
    await familyPlan(email);
    const holder = await visit({ width: 1023 });
    await atFamily(holder.page, email);
    await holder.page.getByText("Charles Example").waitFor();
    expect(await violationsInBoth(holder.page, "the family")).toEqual([]);
    await holder.page.getByRole("button", { name: "Invite somebody" }).click();
    await holder.page.getByRole("button", { name: "Send the invitation" }).click();
    await holder.page.getByText("This is needed.").waitFor();
    const guestEmail = newEmail("grace");
    await holder.page.getByLabel("Name").fill("Grace Example");
    await holder.page.getByLabel("E-mail address").fill(guestEmail);
    await holder.page.getByLabel("What they are to you").selectOption("Child or dependent");
    expect(await violationsInBoth(holder.page, "an invitation")).toEqual([]);
    await holder.page.getByRole("button", { name: "Send the invitation" }).click();
    await holder.page.getByText(guestEmail).waitFor();
    await holder.page.getByRole("button", { name: "Send again: Grace Example" }).click();
    await holder.page.getByRole("alert").getByText("It was sent a moment ago").waitFor();
    expect(await violationsInBoth(holder.page, "the family with an invitation")).toEqual([]);

    const guest = await visit({ width: 390, height: 844 });
    const address = await sentTo(guestEmail, /(\/app\/invitations\/\S+)/);
    await guest.page.goto(`${server.url}${address}`);
    await guest.page.getByLabel("The code from the letter").fill("0000-0000");
    await guest.page.getByRole("button", { name: "Continue" }).click();
    await guest.page.getByRole("alert").getByText("This code is not good").waitFor();
    expect(await violationsInBoth(guest.page, "a wrong code of an invitation")).toEqual([]);
    await guest.page.getByLabel("The code from the letter").fill(await sentTo(guestEmail, /code (\S+)/));
    await guest.page.getByRole("button", { name: "Continue" }).click();
    await guest.page.getByText("An invitation for Grace Example").waitFor();
    await guest.page.getByText("You come to the plan as: Child or dependent.", { exact: false }).waitFor();
    await guest.page.getByLabel("E-mail address").fill(guestEmail);
    await guest.page.getByLabel("Password").fill(PASSWORD);
    await guest.page.getByRole("button", { name: "Create account" }).click();
    await guest.page.getByRole("heading", { name: "Accept the invitation?" }).waitFor();
    const born = guest.page.getByRole("group", { name: /^Date of birth/ });
    await born.getByRole("spinbutton").first().click();
    await guest.page.keyboard.type("05052012");
    expect(await violationsInBoth(guest.page, "to accept an invitation")).toEqual([]);
    await guest.page.getByRole("button", { name: "Accept" }).click();
    await guest.page.getByRole("heading", { name: "You have accepted" }).waitFor();

    // Accepting suffices: the invitation already names the relation to the holder.
    const remove = holder.page.getByRole("button", { name: "Remove Grace Example from the plan" });
    const added = async () => {
      await holder.page.reload();
      await holder.page.getByText("Charles Example").waitFor();
      return remove.count();
    };
    await expect.poll(added, { timeout: 30_000 }).toBe(1);
    await holder.page.getByText("Child or dependent").waitFor();

    // A removed person can be added again without another invitation.
    await remove.click();
    await holder.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await holder.page.getByRole("button", { name: "Add to the plan: Grace Example" }).click();
    const relation = holder.page.getByLabel("What Grace Example is to you");
    await relation.waitFor();
    expect(await relation.inputValue()).toBe("DEPENDENT");
    expect(await violationsInBoth(holder.page, "adding somebody")).toEqual([]);
    await holder.page.getByRole("dialog").getByRole("button", { name: "Add to the plan" }).click();
    await remove.waitFor();

    // A covered person sees the plan's benefits and holder, and no payments.
    await guest.page.goto(`${server.url}/app/home`);
    await guest.page.getByRole("heading", { level: 2, name: "Legal Plan" }).waitFor();
    await guest.page.getByText("Ada Example").waitFor();
    await guest.page.getByText("Child or dependent").waitFor();
    await guest.page.getByText("Covered since").waitFor();
    await guest.page.getByText("Nothing is planned.").waitFor();
    expect(await guest.page.getByRole("main").innerText()).not.toMatch(/\$\d/);
    expect(await violationsInBoth(guest.page, "what covers somebody")).toEqual([]);
    await guest.page.goto(`${server.url}/app/family`);
    await guest.page.getByText("The plan of somebody else covers you").waitFor();
    expect(await violationsInBoth(guest.page, "the family of whom a plan covers")).toEqual([]);
    expect(guest.errors).toEqual([]);
    await guest.close();

    await holder.page.getByRole("button", { name: "Remove Charles Example from the plan" }).click();
    await holder.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await holder.page
      .getByRole("button", { name: "Remove Charles Example from the plan" })
      .waitFor({ state: "detached" });
    await holder.page.goto(`${server.url}/app/home`);
    await holder.page.getByText("Ada Example · Grace Example").waitFor();
    expect(holder.errors).toEqual([]);
    await holder.close();
  },
  PATIENCE,
);

test(
  "a child without an account is added",
  async () => {
    const email = await newMember();
    await familyPlan(email);
    const { page, errors, close } = await visit({ width: 390, height: 844 });
    await atFamily(page, email);
    await page.getByText("It can cover 8 more people.").waitFor();
    await page.getByRole("button", { name: "Add a child" }).click();
    await page.getByRole("button", { name: "Add to the plan", exact: true }).click();
    await page.getByText("This is needed.").waitFor();
    expect(await violationsInBoth(page, "adding a child")).toEqual([]);
    await page.getByLabel("Name").fill("Max Example");
    expect(await page.getByLabel("What they are to you").inputValue()).toBe("DEPENDENT");
    await page.getByRole("button", { name: "Add to the plan", exact: true }).click();
    await page.getByRole("button", { name: "Remove Max Example from the plan" }).waitFor();
    await page.getByText("It can cover 7 more people.").waitFor();
    await page.reload();
    await page.getByText("Max Example").waitFor();
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);

test(
  "an invitation that was not accepted is withdrawn",
  async () => {
    const email = await newMember();
    await familyPlan(email);
    const { page, errors, close } = await visit();
    await atFamily(page, email);
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByLabel("Name").fill("Joan Example");
    await page.getByLabel("E-mail address").fill(newEmail("joan"));
    await page.getByLabel("Language of the letter").selectOption("Français (Canada)");
    await page.getByRole("button", { name: "Send the invitation" }).click();
    await page.getByRole("button", { name: "Withdraw the invitation of Joan Example" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
    await page.getByText("Joan Example").first().waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  },
  PATIENCE,
);
