// The tone of a status, derived from its word: fine, under way, waiting for staff, wrong or over.
import type { Tone } from "@pavise/ui/Value.tsx";

const TONES: readonly (readonly [RegExp, Tone])[] = [
  [/FAIL|DECLIN|REJECT|REFUSED|DENIED|ERROR|PAST_DUE|UNPAID/, "bad"],
  [/PARTIAL|REVIEW|SUSPEND|COLLISION|HOLD|RETIRING|GRANDFATHERED/, "warning"],
  [/CANCEL|VOID|DELETE|EXPIRED|RETIRED|CLOSED|INACTIVE|REVOKED|ENDED|REPLACED|IGNORED/, "over"],
  [/PROCESS|PENDING|SUBMITTED|CREATED|OPEN|REQUESTED|_ADDED|NEW/, "busy"],
  [/ACTIVE|FUNDED|PROVISIONED|PAID|APPROVED|COMPLETE|SETTLED|READY|ENROLLABLE|REFUNDED|REINSTATED/, "good"],
];

/** The tone of a status. */
export function toneOf(status: string): Tone {
  return TONES.find(([pattern]) => pattern.test(status.toUpperCase()))?.[1] ?? "neutral";
}
