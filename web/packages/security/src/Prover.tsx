// Asks the user for a proof when a call of any page needs one, and lets the call go on.
import { Code, ConnectError } from "@connectrpc/connect";
import { speakMore } from "@pavise/i18n/Language.tsx";
import { useKeeper } from "@pavise/session/Session.tsx";
import { GivenUp } from "@pavise/ui/attempt.ts";
import { lazy, Suspense, useEffect, useState } from "react";

type Asked = { resolve: () => void; reject: (error: Error) => void };

const ProofDialog = lazy(async () => {
  const [{ ProofDialog: Dialog }] = await Promise.all([
    import("./Proof.tsx"),
    import("./messages.ts").then(({ loadSecurity }) => speakMore(loadSecurity)),
  ]);
  return { default: Dialog };
});

/** The place of the dialog: one for all pages of an app. Its code is loaded when a call needs a proof. */
export function Prover() {
  const keeper = useKeeper();
  const [asked, setAsked] = useState<Asked>();
  useEffect(
    () => keeper.onProofNeeded(() => new Promise<void>((resolve, reject) => setAsked({ resolve, reject }))),
    [keeper],
  );
  if (asked === undefined) return null;
  const end = (then: () => void) => () => {
    setAsked(undefined);
    then();
  };
  const giveUp = () =>
    asked.reject(new ConnectError("no proof was given", Code.Canceled, undefined, undefined, new GivenUp()));
  return (
    <Suspense fallback={null}>
      <ProofDialog onProven={end(asked.resolve)} onClose={end(giveUp)} />
    </Suspense>
  );
}
