// What a refusal says to people: what happened, and what to do.
import type { Problem } from "@pavise/rpc/problem.ts";

type Translate = (id: string, values?: Record<string, unknown>) => string;

/** A title and a sentence. The server's own words are used where it knows better than the kind of refusal does. */
export function problemText(problem: Problem, _: Translate): { title: string; detail: string } {
  if (problem.reason === "WRONG_CREDENTIALS") {
    return { title: _("That did not work"), detail: _("The name or the password is not right. Check both and try again.") };
  }
  switch (problem.kind) {
    case "offline":
      return { title: _("You are offline"), detail: _("The server was not reached. What you typed is kept; try again when you are back.") };
    case "unavailable":
      return { title: _("Not available right now"), detail: _("This part of the platform does not answer. Try again in a moment.") };
    case "throttled":
      return {
        title: _("Too many attempts"),
        detail: _("Try again in {seconds} seconds.", { seconds: Math.max(1, Math.ceil(problem.retryAfter ?? 1)) }),
      };
    case "signIn":
      return { title: _("You are signed out"), detail: _("Sign in again to go on. You will come back to this page.") };
    case "permission":
      return problem.metadata["permission"] === undefined
        ? { title: _("You may not do this"), detail: problem.message }
        : { title: _("You may not do this"), detail: _("It needs the permission {permission}.", { permission: problem.metadata["permission"] }) };
    case "notFound":
      return { title: _("Not found"), detail: problem.message };
    case "conflict":
      return { title: _("Somebody else changed it in the meantime"), detail: _("Look at what changed, then decide again.") };
    case "status":
      return { title: _("Not allowed as things are"), detail: problem.message };
    case "fields":
    case "exists":
      return { title: _("Something is not right"), detail: problem.message };
    case "cancelled":
      return { title: _("It was stopped"), detail: problem.message };
    case "internal":
      return { title: _("Something went wrong on our side"), detail: _("It is not your fault. Try again; if it stays, tell us the request's id.") };
  }
}
