// A forgotten password: asked for a code, or come with one from the message.
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

/** Takes the code that somebody was sent. */
export function ResetPage() {
  return (
    <Site>
      <WithinPage value>
        <Reset signIn="/sign-in" begin="choose" />
      </WithinPage>
    </Site>
  );
}
