// The reset of a forgotten password: asks for a code, or takes the code of the message's link.
import { Reset } from "@pavise/session/Reset.tsx";
import { WithinPage } from "@pavise/session/SignIn.tsx";
import { Site } from "../app/Frame.tsx";

/** Asks for a code, then takes it. */
export function ForgotPage() {
  return (
    <Site>
      <WithinPage value>
        <Reset signIn="/sign-in" />
      </WithinPage>
    </Site>
  );
}

/** Takes the code from the message. */
export function ResetPage() {
  return (
    <Site>
      <WithinPage value>
        <Reset signIn="/sign-in" begin="choose" />
      </WithinPage>
    </Site>
  );
}
