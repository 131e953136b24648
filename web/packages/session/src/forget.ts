// Keeps cached answers of one caller from the next caller on the same page.
import type { QueryClient } from "@tanstack/react-query";
import type { SessionKeeper } from "./session.ts";

/**
 * Drops cached answers when a user signs out or another identity signs in. The first known session drops nothing: running
 * queries belong to it. An expired session drops nothing either, as its user may come back. `keep` names the first words of
 * the keys of answers that are the same for everybody.
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
    // A visitor's answers are public, but a member may get different ones.
    else if (visitor) void answers.invalidateQueries({ predicate: others(keep) });
    owner = identityId;
    visitor = false;
  });
}

/** Removes unused answers; reads the others again once the pages of the previous caller are gone. */
function empty(answers: QueryClient, keep: readonly string[]): void {
  const predicate = others(keep);
  answers.removeQueries({ type: "inactive", predicate });
  setTimeout(() => {
    answers.removeQueries({ type: "inactive", predicate });
    void answers.resetQueries({ predicate });
  });
}

/** The queries whose keys do not begin with one of these words. */
function others(keep: readonly string[]) {
  return ({ queryKey: [first] }: { queryKey: readonly unknown[] }) => !keep.includes(String(first));
}
