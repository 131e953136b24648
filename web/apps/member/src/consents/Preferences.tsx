// Which messages the member wants, by kind and channel.
import { useLingui } from "@lingui/react";
import { CommunicationChannel, type Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Switch } from "@pavise/ui/Choices.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { useState } from "react";
import { nameOf } from "../member/holdings.ts";
import { SOURCE, useSave } from "../profile/profile.ts";
import { kindsOf, NAMED, type Kind } from "./consents.ts";
import page from "@pavise/ui/Part.module.css";
import styles from "./Consents.module.css";

/** The part of the page. */
export function Preferences({ profile }: { profile: Profile }) {
  const { _ } = useLingui();
  return (
    <Part id="messages" title={_("preferences.title")}>
      <p className={page.soft}>{_("preferences.lead")}</p>
      <div className={page.rows}>
        {kindsOf(profile).map((kind) => (
          <KindLine key={kind.key} kind={kind} identityId={profile.id} />
        ))}
      </div>
    </Part>
  );
}

/** A kind of messages, with a switch for each channel. */
function KindLine({ kind: { key, channels }, identityId }: { kind: Kind; identityId: string }) {
  const { _ } = useLingui();
  const save = useSave();
  const { pending, error, run } = useAttempt();
  // The switch shows the wish while it is saved.
  const [wish, setWish] = useState<{ channel: CommunicationChannel; allowed: boolean }>();
  function change(channel: CommunicationChannel, allowed: boolean) {
    setWish({ channel, allowed });
    const preference = { identityId, key, channel, allowed, source: SOURCE };
    void run(() => save(ProfileService.method.updateCommunicationPreference, preference));
  }
  return (
    <fieldset className={styles.kind}>
      <legend className={page.name}>{NAMED.has(key) ? _(`preferences.kind.${key}`) : key}</legend>
      {NAMED.has(key) ? <p className={page.small}>{_(`preferences.what.${key}`)}</p> : null}
      <div className={styles.channels}>
        {channels.map(({ channel, allowed }) => (
          <Switch
            key={channel}
            isSelected={pending && wish?.channel === channel ? wish.allowed : allowed}
            isReadOnly={pending}
            onChange={(wanted) => change(channel, wanted)}
          >
            {_(`preferences.channel.${nameOf(CommunicationChannel, channel)}`)}
          </Switch>
        ))}
      </div>
      {error === undefined ? null : <Refused error={error} />}
    </fieldset>
  );
}
