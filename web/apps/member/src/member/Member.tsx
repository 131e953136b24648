// The pages of whoever is signed in.
import { useQuery } from "@connectrpc/connect-query";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { useSession } from "@pavise/session/Session.tsx";
import { Outlet } from "@tanstack/react-router";
import { Account } from "./Account.tsx";

/** The frame with the page in it. */
export function Member() {
  const session = useSession();
  const identity = useQuery(
    IdentityService.method.getIdentity,
    { identityId: session?.identityId ?? "" },
    { enabled: session !== undefined },
  );
  if (!session) return null;
  return (
    <Account email={identity.data?.emails[0]?.address ?? ""}>
      <Outlet />
    </Account>
  );
}
