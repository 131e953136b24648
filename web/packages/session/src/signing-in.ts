// Signing in, whatever the form looks like: by password, with an account that is made for it, by passkey, with a further proof.
import type { SignInChallenge } from "@pavise/schema/pavise/identity/v1/challenge_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { useState } from "react";
import { useKeeper } from "./Session.tsx";

/** What the form needs: ways in, whether one is under way, what it was refused with, and the further proof that is asked for. */
export function useSigningIn(onSignedIn: () => void) {
  const keeper = useKeeper();
  const { pending, error, run, forget } = useAttempt();
  const [challenge, setChallenge] = useState<SignInChallenge>();
  async function entered() {
    await keeper.refresh();
    onSignedIn();
  }
  /** Goes on with what `begin` was answered with. */
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
