// The consents that a member gives in the app, with the version of their words, and the kinds of messages.
import {
  CommunicationChannel,
  type CommunicationPreference,
  type Consent,
  type Profile,
} from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { SOURCE, type Save } from "../profile/profile.ts";

/** The version of the words of `consents.words.…`. It changes with them: the profile keeps which words were agreed to. */
export const WORDING = "2026-11";

/** The version of the terms of service, which come with the plan. */
export const TERMS = "2026-01";

/** The consents that a member gives and takes back. */
export const CONSENTS = ["marketing", "sms", "tcpa"] as const;
export type ConsentId = (typeof CONSENTS)[number];

/** The last answer; undefined without one. */
export function consentOf({ marketingOptIn, smsOptIn, tcpa }: Profile, id: ConsentId): Consent | undefined {
  return { marketing: marketingOptIn, sms: smsOptIn, tcpa }[id];
}

/** Records that the member agrees, or does not any more. */
export function sayConsent(save: Save, id: ConsentId, identityId: string, given: boolean): Promise<Profile> {
  const said = { identityId, given, source: SOURCE, wordingVersion: WORDING };
  switch (id) {
    case "marketing":
      return save(ProfileService.method.updateMarketingOptIn, said);
    case "sms":
      return save(ProfileService.method.updateSmsOptIn, said);
    case "tcpa":
      return save(ProfileService.method.updateTcpa, said);
  }
}

/** The recorder of a consent: the member or somebody else. */
export function recordedBy({ by }: Pick<Consent, "by">, identityId: string): "you" | "staff" {
  return by === identityId ? "you" : "staff";
}

/** Sources with words of their own. Another one is shown as it was recorded. */
export const SOURCES: ReadonlySet<string> = new Set(["member-app", "sign-up", "checkout"]);

/** The kinds of messages that a member decides about. Those about security always come. */
const KINDS = ["account", "billing", "case", "alert", "marketing"] as const;

/** Kinds with words of their own. Another one is shown by its key. */
export const NAMED: ReadonlySet<string> = new Set([...KINDS, "newsletter"]);

const CHANNELS = [CommunicationChannel.EMAIL, CommunicationChannel.SMS, CommunicationChannel.PUSH];
/** Offers come by post and by telephone too. */
const OF_OFFERS = [...CHANNELS, CommunicationChannel.PHONE, CommunicationChannel.MAIL];

/** A kind of messages, with the channels on which they may come. */
export type Kind = { key: string; channels: readonly { channel: CommunicationChannel; allowed: boolean }[] };

/** The kinds with the member's choices. Where they have said nothing, offers need the consent, and others come. */
export function kindsOf(profile: Pick<Profile, "communicationPreferences" | "marketingOptIn">): Kind[] {
  const said = profile.communicationPreferences;
  const others = said.map(({ key }) => key.toLowerCase()).filter((key) => !KINDS.some((kind) => kind === key));
  return [...KINDS, ...new Set(others)].map((key) => {
    const own = said.filter((one) => one.key.toLowerCase() === key);
    const usual = usualOf(key);
    const channels = [...new Set([...usual, ...own.map(({ channel }) => channel)])];
    const unsaid = key === "marketing" ? profile.marketingOptIn?.given === true : true;
    return { key, channels: channels.map((channel) => ({ channel, allowed: allowedOn(own, channel) ?? unsaid })) };
  });
}

function usualOf(key: string): readonly CommunicationChannel[] {
  if (!KINDS.some((kind) => kind === key)) return [];
  return key === "marketing" ? OF_OFFERS : CHANNELS;
}

function allowedOn(said: readonly CommunicationPreference[], wanted: CommunicationChannel): boolean | undefined {
  return said.find(({ channel }) => channel === wanted)?.allowed;
}
