/** The refusal of a sign-in call, above the form. */
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { Note } from "@pavise/ui/Notice.tsx";
import { problemText } from "./problems.ts";

/** The title and advice of a refusal; empty without a refusal. */
export function Refusal({ error }: { error: unknown }) {
  const { _ } = useLingui();
  if (error === undefined) return null;
  const { title, detail } = problemText(problemOf(error), _);
  return (
    <Note tone="danger" title={title} spoken>
      {detail}
    </Note>
  );
}
