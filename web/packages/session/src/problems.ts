// The text of a refusal: what happened, and what to do.
import type { Problem } from "@pavise/rpc/problem.ts";
import { brokenRule } from "@pavise/rules/violation.ts";

type Translate = (id: string, values?: Record<string, unknown>) => string;

/** A title and a sentence. The server's own words are used where they say more than the kind of refusal. */
export function problemText(problem: Problem, _: Translate): { title: string; detail: string } {
  const own = byReason(problem.reason, _);
  if (own !== undefined) return own;
  switch (problem.kind) {
    case "offline":
      return {
        title: _("You are offline"),
        detail: _("The server was not reached. What you typed is kept; try again when you are back."),
      };
    case "unavailable":
      return {
        title: _("Not available right now"),
        detail: _("This part of the platform does not answer. Try again in a moment."),
      };
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
        : {
            title: _("You may not do this"),
            detail: _("It needs the permission {permission}.", { permission: problem.metadata["permission"] }),
          };
    case "notFound":
      return { title: _("Not found"), detail: problem.message };
    case "conflict":
      return {
        title: _("Somebody else changed it in the meantime"),
        detail: _("Look at what changed, then decide again."),
      };
    case "status":
      return { title: _("Not allowed as things are"), detail: problem.message };
    case "fields":
      // The validator's words are for programmers, such as a regular expression.
      if (
        problem.fields.length > 0 &&
        problem.fields.every(({ description }) => brokenRule(description) !== undefined)
      ) {
        return {
          title: _("Something is not right"),
          detail: _("Look at this again: {fields}", { fields: problem.fields.map(({ path }) => path).join(", ") }),
        };
      }
      return { title: _("Something is not right"), detail: problem.message };
    case "exists":
      return { title: _("Something is not right"), detail: problem.message };
    case "cancelled":
      return { title: _("It was stopped"), detail: _("The device did not confirm it. Try again, or use another way.") };
    case "internal":
      return {
        title: _("Something went wrong on our side"),
        detail: _("It is not your fault. Try again; if it stays, tell us the request's id."),
      };
  }
}

/** Refusals with words of their own. */
function byReason(reason: string, _: Translate): { title: string; detail: string } | undefined {
  switch (reason) {
    case "WRONG_CREDENTIALS":
      return {
        title: _("That did not work"),
        detail: _("The name or the password is not right. Check both and try again."),
      };
    case "WRONG_CODE":
      return {
        title: _("That is not right"),
        detail: _("It is wrong, was used before, or its time is over. Check it, or ask for another one."),
      };
    case "CHALLENGE_OVER":
      return { title: _("This took too long"), detail: _("Start again with your name and your password.") };
    case "PASSKEY_REFUSED":
      return {
        title: _("This passkey does not sign in here"),
        detail: _("Use another one, or your name and your password."),
      };
    case "CODE_SENT_RECENTLY":
      return { title: _("A code was sent a moment ago"), detail: _("Wait a little before you ask for another one.") };
    case "RESET_CODE_NOT_GOOD":
      return {
        title: _("This code is not good"),
        detail: _("It is wrong, was used, or its time is over. Ask for another one."),
      };
    case "PAYMENT_PENDING":
      return {
        title: _("The vendor has not answered yet"),
        detail: _("Ask again in a moment: however often you do, it is charged or given back once."),
      };
    case "PASSWORD_NOT_ALLOWED":
      return {
        title: _("This password is too easy to guess"),
        detail: _("Choose another: a few words that do not belong together."),
      };
    default:
      return undefined;
  }
}
