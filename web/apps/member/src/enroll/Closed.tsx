// Says why a group takes no enrollment, in the server's words.
import { callUnaryMethod } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import type { GroupEnrollment } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import { GroupEnrollmentService } from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { Skeleton } from "@pavise/ui/Skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useMemberId } from "../member/holdings.ts";

/** The refusals that only the server can explain: it knows the employer's rules. */
const REASONS = new Set(["GROUP_NOT_ACTIVE", "EMPLOYEE_NOT_ELIGIBLE", "ENROLLMENT_CLOSED", "ENROLLMENT_INCOMPLETE"]);

/** The server's words about such a refusal; undefined for another one. */
export function wordsOf(error: unknown): string | undefined {
  const { reason, message } = problemOf(error);
  return REASONS.has(reason) ? sentence(message) : undefined;
}

/** The server's words as a sentence. */
export function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}

type RefusedEnrollmentProps = { error: unknown; onRetry?: (() => void) | undefined; retrying?: boolean };

/** A refusal: that of an enrollment in the server's words, any other one in the app's. */
export function RefusedEnrollment({ error, onRetry, retrying = false }: RefusedEnrollmentProps) {
  const { _ } = useLingui();
  const words = wordsOf(error);
  if (words === undefined) return <Refused error={error} {...(onRetry ? { onRetry } : {})} retrying={retrying} />;
  return (
    <Note
      spoken
      tone="warning"
      title={_("enroll.closed.title")}
      actions={
        onRetry ? (
          <Button onPress={onRetry} isPending={retrying}>
            {_("ui.error.retry")}
          </Button>
        ) : null
      }
    >
      {words}
    </Note>
  );
}

type ClosedProps = { groupId: string; enrollment: GroupEnrollment | undefined; onRetry: () => void };

/** Says why the group takes no enrollment of the member today. */
export function Closed({ groupId, enrollment, onRetry }: ClosedProps) {
  const { _ } = useLingui();
  const why = useWhy(groupId, enrollment);
  if (why.isPending) return <Skeleton width="100%" height={72} />;
  const again = () => {
    void why.refetch();
    onRetry();
  };
  if (why.data !== undefined && why.data !== null) return <RefusedEnrollment error={why.data} onRetry={again} />;
  return (
    <Note
      spoken
      tone="warning"
      title={_("enroll.closed.title")}
      actions={<Button onPress={again}>{_("ui.error.retry")}</Button>}
    >
      {_("enroll.closed.detail")}
    </Note>
  );
}

/** The refusal of the call that would come next. It is tried without any effect; null where it is not refused. */
function useWhy(groupId: string, enrollment: GroupEnrollment | undefined) {
  const { transport } = useKeeper();
  const identityId = useMemberId();
  const { createGroupEnrollment, submitGroupEnrollment } = GroupEnrollmentService.method;
  return useQuery({
    queryKey: ["why no enrollment", identityId, groupId, enrollment?.id],
    queryFn: async ({ signal }): Promise<unknown> => {
      const options = { signal, headers: { "pavise-validate-only": "true" } };
      const next =
        enrollment === undefined
          ? callUnaryMethod(transport, createGroupEnrollment, { identityId, groupId }, options)
          : callUnaryMethod(transport, submitGroupEnrollment, { identityId, enrollmentId: enrollment.id }, options);
      return next.then(
        () => null,
        (refused: unknown) => refused,
      );
    },
    staleTime: 0,
    gcTime: 0,
  });
}
