// The sign-in logic for any form: by password, with a new account, by passkey, with a further proof.
import type { SignInChallenge } from "@pavise/schema/pavise/identity/v1/challenge_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { useState } from "react";
import { useKeeper } from "./Session.tsx";

/** The form's state: the ways to sign in, whether one is pending, the refusal, and the required further proof. */
export function useSigningIn(onSignedIn: () => void) {
  const keeper = useKeeper();
  const { pending, error, run, forget } = useAttempt();
  const [challenge, setChallenge] = useState<SignInChallenge>();
  async function entered() {
    await keeper.refresh();
    onSignedIn();
  }
  /** Continues with the answer of `begin`. */
  function enter(begin: () => Promise<{ readonly challenge?: SignInChallenge | undefined }>) {
    void run(async () => {
      const { challenge: further } = await begin();
      if (further === undefined) await entered();
      else setChallenge(further);
    });
  }
  return {
    pending,
    error,
    forget,
    challenge,
    entered,
    startAgain: () => setChallenge(undefined),
    enter,
    withPasskey: () => void run(() => keeper.signInWithPasskey().then(entered)),
  };
}
