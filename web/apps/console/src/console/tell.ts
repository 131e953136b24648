// Tells a refusal in the console: the title, the sentence, and the request's id.
import { problemOf } from "@pavise/rpc/problem.ts";
import { problemText } from "@pavise/session/problems.ts";
import type { Tell } from "@pavise/ui/telling.ts";

/** Tells a caught error. */
export const tell: Tell = (error, _) => {
  const problem = problemOf(error);
  return { ...problemText(problem, _), traceId: problem.traceId };
};
