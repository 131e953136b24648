// The text of a refusal for members: what happened, and what to do.
import { problemOf, type Problem } from "@pavise/rpc/problem.ts";
import type { Tell } from "@pavise/ui/telling.ts";

type Say = Parameters<Tell>[1];

/** Reasons with words of their own. */
const REASONS: Readonly<Record<string, string>> = {
  WRONG_CREDENTIALS: "credentials",
  SIGN_IN_THROTTLED: "signInThrottled",
  PASSWORD_NOT_ALLOWED: "password",
  LAST_SIGN_IN_NAME: "lastName",
  PRICE_CHANGED: "price",
  PAYMENT_DECLINED: "declined",
  PAYMENT_PENDING: "pending",
  PAYMENT_IN_PROGRESS: "pending",
  PAYMENT_METHOD_COOLING_DOWN: "cooldown",
  TOO_MANY_DECLINES: "manyDeclines",
  PAYMENT_METHOD_EXPIRED: "expired",
  TAX_AREA_UNKNOWN: "taxArea",
  SELECTION_REFUSED: "selection",
  OFFER_NOT_BUYABLE: "selection",
  PLAN_ALREADY_HELD: "held",
  WRONG_CODE: "code",
  CODE_SENT_RECENTLY: "codeSent",
  PASSKEY_REFUSED: "passkey",
  LAST_FACTOR: "lastFactor",
  TOO_MANY_FACTORS: "manyFactors",
  FACTOR_UNREADABLE: "unreadable",
  INVITATION_CODE_WRONG: "invitationCode",
  INVITATION_SENT_TOO_SOON: "invitationSoon",
  OWN_INVITATION: "ownInvitation",
  AUTHORIZED_USERS_EXCEEDED: "planFull",
  AUTHORIZED_USER_NOT_COVERED: "notCovered",
  SUBSCRIPTION_END_NOT_YOURS: "endNotYours",
  SUBSCRIPTION_END_PASSED: "endPassed",
  ORDER_NOT_CANCELLABLE: "notCancellable",
  CANCELLATION_PERIOD_OVER: "cancelOver",
  CELL_NUMBER_MISSING: "cell",
  NAME_MISSING: "named",
};

/** Tells a caught error. */
export const told: Tell = (error, say) => {
  const problem = problemOf(error);
  const { title, detail } = words(problem, say);
  const traceId = problem.kind === "internal" || problem.kind === "unavailable" ? problem.traceId : "";
  return { title, detail, traceId };
};

function words(problem: Problem, say: Say): { title: string; detail: string } {
  const own = REASONS[problem.reason];
  if (own) return { title: say(`problem.title.${own}`), detail: say(`problem.detail.${own}`) };
  switch (problem.kind) {
    case "offline":
      return { title: say("problem.title.offline"), detail: say("problem.detail.offline") };
    case "unavailable":
      return { title: say("problem.title.unavailable"), detail: say("problem.detail.unavailable") };
    case "throttled":
      return {
        title: say("problem.title.throttled"),
        detail: say("problem.detail.throttled", { seconds: Math.max(1, Math.ceil(problem.retryAfter ?? 1)) }),
      };
    case "signIn":
      return { title: say("problem.title.signIn"), detail: say("problem.detail.signIn") };
    case "permission":
      return { title: say("problem.title.permission"), detail: say("problem.detail.permission") };
    case "notFound":
      return { title: say("problem.title.notFound"), detail: say("problem.detail.notFound") };
    case "conflict":
    case "status":
      return { title: say("problem.title.changed"), detail: say("problem.detail.changed") };
    case "exists":
      return { title: say("problem.title.exists"), detail: say("problem.detail.exists") };
    case "fields":
      return { title: say("problem.title.fields"), detail: say("problem.detail.fields") };
    case "cancelled":
      return { title: say("problem.title.stopped"), detail: say("problem.detail.stopped") };
    case "internal":
      return { title: say("problem.title.internal"), detail: say("problem.detail.internal") };
  }
}
