// Keeps the answers to one caller from the next caller of the same page.
import type { QueryClient } from "@tanstack/react-query";
import type { SessionKeeper } from "./session.ts";

/**
 * Empties the answers when somebody signs out or another identity signs in. The first known session empties nothing: the
 * queries that are under way were asked in its name. A session that ran out empties nothing either: its owner may come back. `keep`
 * names the first words of the keys of answers that are everybody's.
 */
export function forgetBetween(keeper: SessionKeeper, answers: QueryClient, keep: readonly string[] = []): void {
  let owner: string | undefined;
  let visitor = false;
  keeper.subscribe(() => {
    const state = keeper.state();
    if (state.status === "unknown") return;
    if (state.status === "signedOut") {
      visitor = true;
      if (!state.left) return;
      owner = undefined;
      empty(answers, keep);
      return;
    }
    const { identityId } = state.session;
    if (owner !== undefined && owner !== identityId) empty(answers, keep);
    // A visitor's answers are public, but a member may get others.
    else if (visitor) void answers.invalidateQueries();
    owner = identityId;
    visitor = false;
  });
}

/** Removes the answers that nobody looks at; asks again for the others once the pages of the caller before are gone. */
function empty(answers: QueryClient, keep: readonly string[]): void {
  const predicate = ({ queryKey: [first] }: { queryKey: readonly unknown[] }) => !keep.includes(String(first));
  answers.removeQueries({ type: "inactive", predicate });
  setTimeout(() => {
    answers.removeQueries({ type: "inactive", predicate });
    void answers.resetQueries({ predicate });
  });
}
