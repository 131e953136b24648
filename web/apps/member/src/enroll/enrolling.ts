// The calls of an enrollment: reading it, saving each step of it, and following it once it is submitted.
import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod, createConnectQueryKey, useQuery } from "@connectrpc/connect-query";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { problemOf } from "@pavise/rpc/problem.ts";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import type { GroupEnrollment, GroupEnrollmentSchema } from "@pavise/schema/pavise/groups/v1/group_enrollment_pb";
import {
  GroupEnrollmentService,
  type EnrollmentOptions,
  type ListGroupEnrollmentsResponse,
} from "@pavise/schema/pavise/groups/v1/group_enrollment_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { LOCALES } from "../app/words.ts";
import { useMemberId } from "../member/holdings.ts";
import { isUnderWay, openOf, withSaved } from "./steps.ts";
import { localeIn } from "./terms.ts";

const { getEnrollmentOptions, getGroupEnrollment, listGroupEnrollments, createGroupEnrollment } =
  GroupEnrollmentService.method;
const { listTransactions, listPaymentMethods } = PaymentMethodService.method;

/** The page size, enough for any member. */
const PAGE = 50;
/** How often a submitted enrollment is read again, in milliseconds: first, and at most. */
const FIRST_WAIT = 300;
const LONGEST_WAIT = 4_000;

const listInput = (identityId: string, groupId: string) => ({ identityId, groupId, pageSize: PAGE });

function listKey(transport: Transport, identityId: string, groupId: string) {
  const input = listInput(identityId, groupId);
  return createConnectQueryKey({ schema: listGroupEnrollments, input, transport, cardinality: "finite" });
}

/** The options that a group gives to its employees. */
export function useOptions(groupId: string) {
  const identityId = useMemberId();
  return useQuery(getEnrollmentOptions, { identityId, groupId }, { enabled: identityId !== "" });
}

/** The member's enrollments in a group, newest first; without one, in all of them. */
export function useEnrollments(groupId = "") {
  const identityId = useMemberId();
  return useQuery(listGroupEnrollments, listInput(identityId, groupId), { enabled: identityId !== "" });
}

/** Keeps an enrollment that a call answered, so that the page goes on with it. */
function useKeep() {
  const { transport } = useKeeper();
  const client = useQueryClient();
  const identityId = useMemberId();
  return (saved: GroupEnrollment) => {
    client.setQueryData(
      listKey(transport, identityId, saved.groupId),
      (before: ListGroupEnrollmentsResponse | undefined) =>
        before === undefined ? undefined : { ...before, groupEnrollments: withSaved(before.groupEnrollments, saved) },
    );
    void client.invalidateQueries({ queryKey: listKey(transport, identityId, ""), exact: true });
  };
}

/** A change of an enrollment: a call that answers the enrollment after it. */
type Change<I extends DescMessage> = DescMethodUnary<I, typeof GroupEnrollmentSchema>;
/** Saves a change of an enrollment. */
export type SaveEnrollment = <I extends DescMessage>(
  method: Change<I>,
  input: MessageInitShape<I>,
) => Promise<GroupEnrollment>;

/** The function that saves. */
export function useSaveEnrollment(): SaveEnrollment {
  const { transport } = useKeeper();
  const keep = useKeep();
  return async (method, input) => {
    const saved = await callUnaryMethod(transport, method, input);
    keep(saved);
    return saved;
  };
}

/** Begins an enrollment. One that was begun elsewhere meanwhile is gone on with. */
export function useBegin({ groupId, countryIdentifier }: EnrollmentOptions): () => Promise<GroupEnrollment> {
  const { transport } = useKeeper();
  const { locale } = useLanguage();
  const identityId = useMemberId();
  const keep = useKeep();
  return async () => {
    const begun = { identityId, groupId, locale: LOCALES[localeIn(countryIdentifier, locale)] };
    const made = await callUnaryMethod(transport, createGroupEnrollment, begun).catch(async (refused: unknown) => {
      if (problemOf(refused).reason !== "ENROLLMENT_THERE") throw refused;
      const list = await callUnaryMethod(transport, listGroupEnrollments, listInput(identityId, groupId));
      const there = openOf(list.groupEnrollments);
      if (there === undefined) throw refused;
      return there;
    });
    keep(made);
    return made;
  };
}

/** Follows a submitted enrollment until it is completed, or open again. */
export function useFollowed({ id, ownerId, version }: GroupEnrollment) {
  const keep = useKeep();
  const client = useQueryClient();
  const query = useQuery(
    getGroupEnrollment,
    { enrollmentId: id, identityId: ownerId },
    {
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.data === undefined || isUnderWay(state.data)
          ? Math.min(LONGEST_WAIT, FIRST_WAIT * 1.3 ** Math.min(state.dataUpdateCount, 12))
          : false,
    },
  );
  const { data } = query;
  useEffect(() => {
    if (data === undefined || data.version <= version) return;
    keep(data);
    if (isUnderWay(data)) return;
    // The outcome says which cards were declined.
    const keys = [
      createConnectQueryKey({ schema: listTransactions, cardinality: "finite" }),
      createConnectQueryKey({ schema: listPaymentMethods, cardinality: "finite" }),
    ];
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  });
  return query;
}
