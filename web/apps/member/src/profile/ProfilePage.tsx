// The profile: who the member is, how to reach them, the language, and the addresses with which they sign in.
import { useLingui } from "@lingui/react";
import { Loaded } from "@pavise/ui/Loaded.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { Toasts } from "@pavise/ui/toasts.tsx";
import { Addresses } from "./Addresses.tsx";
import { Emails } from "./Emails.tsx";
import { Kept } from "./Kept.tsx";
import { LanguagePart } from "./LanguagePart.tsx";
import { Phones } from "./Phones.tsx";
import { Person } from "./Person.tsx";
import { useProfile } from "./profile.ts";
import { SignInAddresses } from "./SignInAddresses.tsx";
import page from "@pavise/ui/Part.module.css";

/** The profile page. */
export function ProfilePage() {
  const { _ } = useLingui();
  const profile = useProfile();
  return (
    <>
      <div className={page.intro}>
        <PageTitle>{_("profile.title")}</PageTitle>
        <p className={page.soft}>{_("profile.lead")}</p>
      </div>
      <Loaded query={profile} lines={8}>
        {(own) => (
          <>
            <Person profile={own} />
            <Emails profile={own} />
            <Phones profile={own} />
            <Addresses profile={own} />
            <LanguagePart />
            <Kept profile={own} />
          </>
        )}
      </Loaded>
      <SignInAddresses />
      <Toasts />
    </>
  );
}
