/** Signs out when it is shown, and confirms it. */
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { Link } from "@pavise/ui/Link.tsx";
import { ErrorPanel } from "@pavise/ui/Notice.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { useCallback, useEffect, useState } from "react";
import { problemText } from "./problems.ts";
import { useKeeper } from "./Session.tsx";
import { SessionPage } from "./SignIn.tsx";

/** The sign-out page. `again` is the sign-in page. */
export function SignOut({ again }: { again: string }) {
  const { _ } = useLingui();
  const keeper = useKeeper();
  const [state, setState] = useState<"pending" | "done" | { title: string; detail: string }>("pending");
  const run = useCallback(() => {
    keeper.signOut().then(
      () => setState("done"),
      (error: unknown) => setState(problemText(problemOf(error), _)),
    );
  }, [keeper, _]);
  useEffect(run, [run]);
  if (state === "pending") {
    return (
      <SessionPage title={_("Signing out")}>
        <SkeletonText lines={2} onRetry={run} />
      </SessionPage>
    );
  }
  if (state === "done") {
    return (
      <SessionPage title={_("You are signed out")}>
        <Link kind="secondary" href={again} wide>
          {_("Sign in again")}
        </Link>
      </SessionPage>
    );
  }
  return (
    <SessionPage title={_("You are still signed in")}>
      <ErrorPanel
        title={state.title}
        onRetry={() => {
          setState("pending");
          run();
        }}
      >
        {state.detail}
      </ErrorPanel>
    </SessionPage>
  );
}
