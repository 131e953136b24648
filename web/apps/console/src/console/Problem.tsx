/** A refusal on a page: what happened, what to do, and the request's id for support. */
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { enumWords } from "@pavise/descform/words.ts";
import { problemOf, type Problem } from "@pavise/rpc/problem.ts";
import { problemText } from "@pavise/session/problems.ts";
import { ErrorPanel } from "@pavise/ui/Notice.tsx";
import { use } from "react";
import { statusWords, type Contract } from "../contract/operation.ts";
import { ConsoleContext } from "./console.ts";
import styles from "./console.module.css";

/** Shows a caught error as a refusal. */
export function ProblemPanel({
  error,
  onRetry,
  retrying,
}: {
  error: unknown;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
}) {
  const { _ } = useLingui();
  const problem = problemOf(error);
  const { title, detail } = problemText(problem, _);
  return (
    <ErrorPanel
      title={title}
      traceId={problem.traceId}
      {...(onRetry === undefined ? {} : { onRetry })}
      retrying={retrying === true}
    >
      <p>{detail}</p>
      <LegalCalls problem={problem} />
    </ErrorPanel>
  );
}

/** Calls that are legal instead, when the status forbids this one. */
function LegalCalls({ problem }: { problem: Problem }) {
  const { _ } = useLingui();
  const w = useWords();
  const contract = use(ConsoleContext)?.contract;
  const status = problem.metadata["status"];
  if (problem.kind !== "status") return null;
  return (
    <>
      {status === undefined || status === "" ? null : (
        <p>{_("It is {status} now.", { status: w(wordsOf(contract, status)) })}</p>
      )}
      {problem.preconditions.map(({ subject, description }) => (
        <p key={subject + description} className={styles.soft}>
          {description}
        </p>
      ))}
    </>
  );
}

/** The words of a status whose entity the refusal does not name: those that all entities with the status agree on, of
 * the loaded domains. */
function wordsOf(contract: Contract | undefined, status: string): string {
  const entities =
    contract?.entities.filter((one) => contract.has([one.domain]) && one.statuses.includes(status)) ?? [];
  const [only, ...others] = new Set(entities.map((entity) => statusWords(entity, status)));
  return only === undefined || others.length > 0 ? enumWords(status) : only;
}
