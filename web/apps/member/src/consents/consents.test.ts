import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { CommunicationChannel, ProfileSchema } from "@pavise/schema/pavise/members/v1/profile_pb";
import { expect, test } from "vitest";
import { kindsOf, recordedBy } from "./consents.ts";

function kind(key: string, init: MessageInitShape<typeof ProfileSchema>) {
  const found = kindsOf(create(ProfileSchema, init)).find((one) => one.key === key);
  return found?.channels.map(({ channel, allowed }) => `${CommunicationChannel[channel]} ${allowed}`);
}

test("messages come unless the member said no, and offers need the consent", () => {
  const no = { key: "Billing", channel: CommunicationChannel.SMS, allowed: false };
  expect(kind("billing", { communicationPreferences: [no] })).toEqual(["EMAIL true", "SMS false", "PUSH true"]);
  expect(kind("marketing", {})?.every((one) => one.endsWith("false"))).toBe(true);
  const agreed = { marketingOptIn: { given: true } };
  const byPost = { key: "marketing", channel: CommunicationChannel.MAIL, allowed: false };
  expect(kind("marketing", { ...agreed, communicationPreferences: [byPost] })).toEqual([
    "EMAIL true",
    "SMS true",
    "PUSH true",
    "PHONE true",
    "MAIL false",
  ]);
});

test("a kind that the app does not name is shown with the channels that were said", () => {
  const said = { key: "tournaments", channel: CommunicationChannel.MAIL, allowed: true };
  expect(kind("tournaments", { communicationPreferences: [said] })).toEqual(["MAIL true"]);
});

test("a consent is the member's own or recorded by others", () => {
  expect(recordedBy({ by: "ada" }, "ada")).toBe("you");
  expect(recordedBy({ by: "root" }, "ada")).toBe("staff");
});
