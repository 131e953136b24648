// Security: the page that members and staff share, with the member app's notes.
import { Security } from "@pavise/security/Security.tsx";
import { Toasts } from "@pavise/ui/toasts.tsx";

/** The security page. */
export function SecurityPage() {
  return (
    <>
      <Security />
      <Toasts />
    </>
  );
}
