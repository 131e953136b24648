/** The sign-in methods of staff, on the same page that members have. */
import type { DescMethod } from "@bufbuild/protobuf";
import { TransportProvider } from "@connectrpc/connect-query";
import { problemOf } from "@pavise/rpc/problem.ts";
import { Security } from "@pavise/security/Security.tsx";
import { Telling, type Tell } from "@pavise/ui/telling.ts";
import { problemText } from "@pavise/session/problems.ts";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useConsole } from "../console/console.ts";
import { mayAsOwner } from "../contract/caller.ts";
import styles from "./frame.module.css";

/** The page. */
export function SecurityPage() {
  const { caller, operationOf } = useConsole();
  const lacks = (method: DescMethod) => {
    const operation = operationOf(method);
    return mayAsOwner(operation, caller) ? undefined : (operation?.permission ?? "");
  };
  const { transport } = useKeeper();
  return (
    <TransportProvider transport={transport}>
      <Telling value={tell}>
        <div className={styles.security}>
          <Security permitted={{ lacks, reset: "/reset" }} />
        </div>
      </Telling>
    </TransportProvider>
  );
}

/** The text of a refusal; some refusals have words of their own here. */
const tell: Tell = (error, _) => {
  const problem = problemOf(error);
  const { traceId } = problem;
  switch (problem.reason) {
    case "LAST_FACTOR":
      return {
        title: _("You need at least one second step"),
        detail: _("Add another before you remove this one."),
        traceId,
      };
    case "TOO_MANY_FACTORS":
      return {
        title: _("You have as many as there can be"),
        detail: _("Remove one that you do not use, then add another."),
        traceId,
      };
    case "FACTOR_UNREADABLE":
      return {
        title: _("This one cannot be used any more"),
        detail: _("Use another, and set this one up anew."),
        traceId,
      };
    case "WRONG_CREDENTIALS":
      return { title: _("That did not work"), detail: _("The password of now is not right."), traceId };
    default:
      return { ...problemText(problem, _), traceId };
  }
};
