// The pages of a signed-in member.
import { useQuery } from "@connectrpc/connect-query";
import { IdentityRealm } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { CrossRealm, type CrossRealmProps } from "@pavise/session/CrossRealm.tsx";
import { useKeeper, useSession } from "@pavise/session/Session.tsx";
import { WithinPage } from "@pavise/session/SignIn.tsx";
import { UnprovedEmail, useUnprovedEmail } from "@pavise/session/UnprovedEmail.tsx";
import { Outlet } from "@tanstack/react-router";
import { Site } from "../app/Frame.tsx";
import { useProfileLanguage } from "../profile/language.ts";
import { Account } from "./Account.tsx";

/** The realms of identities that have an app of their own. */
const OTHERS: Readonly<Partial<Record<number, CrossRealmProps["realm"]>>> = {
  [IdentityRealm.INTERNAL]: "internal",
  [IdentityRealm.PARTNER]: "partner",
  [IdentityRealm.GROUP_ADMIN]: "groupAdmin",
};

/** The frame around the page. */
export function Member() {
  const session = useSession();
  const identity = useQuery(
    IdentityService.method.getIdentity,
    { identityId: session?.identityId ?? "" },
    { enabled: session?.realm === IdentityRealm.USER },
  );
  const unproved = useUnprovedEmail();
  const keeper = useKeeper();
  if (!session) return null;
  const elsewhere = OTHERS[session.realm];
  if (elsewhere) {
    return (
      <Site>
        <WithinPage value>
          <CrossRealm realm={elsewhere} signOut={() => void keeper.signOut()} />
        </WithinPage>
      </Site>
    );
  }
  return (
    <Account email={identity.data?.emails[0]?.address ?? unproved ?? ""}>
      <ProfileLanguage />
      <UnprovedEmail />
      <Outlet />
    </Account>
  );
}

/** Sets the language of the profile. */
function ProfileLanguage() {
  useProfileLanguage();
  return null;
}
