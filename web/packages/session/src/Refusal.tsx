/** What a call around the sign-in was refused with, over the form. */
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { Note } from "@pavise/ui/Notice.tsx";
import { problemText } from "./problems.ts";

/** What happened and what to do; nothing while nothing was refused. */
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
